// Table A: `/api/:n` adds the numbers from 0 to n.
const express = require('express');

const MAX = 5_000_000_000;

const app = express();
app.get('/', (_request, response) => response.send('Hello World!'));
app.get('/api/:n', (request, response) => {
  const n = Math.min(Number(request.params.n), MAX);
  let count = 0;
  for (let i = 0; i <= n; i++) count += i;
  response.send(`Final count is ${count}`);
});
app.listen(Number(process.env.PORT));
