// Table C: the parts of an application that express-generator makes, with work in the root route.
const path = require('node:path');
const cookieParser = require('cookie-parser');
const express = require('express');
const createError = require('http-errors');
const logger = require('morgan');

const STEPS = 25e6;

const app = express();
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'pug');
app.use(logger('dev'));
app.use(express.json());
app.use(express.urlencoded({ extended: false }));
app.use(cookieParser());
app.use(express.static(path.join(__dirname, 'public')));
app.get('/', (_request, response) => {
  let count = 0;
  for (let i = 0; i < STEPS; i++) count += i;
  response.render('index', { title: 'Express', count });
});
app.use((_request, _response, next) => next(createError(404)));
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).render('error', { message: error.message, error });
});
app.listen(Number(process.env.PORT));
