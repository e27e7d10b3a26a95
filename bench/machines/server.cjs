/** Answers with its pid and the request's id after 20 ms; /occupy blocks the event loop for 20 ms. */
const { createServer } = require('node:http');

const memory = new Int32Array(new SharedArrayBuffer(4));

createServer((request, response) => {
  const answer = () => {
    response.setHeader('x-request-id', request.headers['x-request-id'] ?? '');
    response.end(JSON.stringify({ pid: process.pid }));
  };
  if (request.url === '/health') return response.end('ok');
  if (request.url !== '/occupy') return setTimeout(answer, 20);
  Atomics.wait(memory, 0, 0, 20);
  answer();
}).listen(process.env.PORT);
