/** The same with Express. Start it with `nodecluster start hello-express.cjs -i 4`. */
const express = require('express');

const port = Number(process.env.PORT ?? 3000);
const app = express();

app.get('/', (_request, response) => {
  response.send(`Hello from worker ${process.pid}\n`);
});

app.listen(port);
