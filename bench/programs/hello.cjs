// The lightest route of the articles: Express says hello.
const express = require('express');

const app = express();
app.disable('x-powered-by');
app.get('/', (_request, response) => response.send('Hello World!'));
app.listen(Number(process.env.PORT));
