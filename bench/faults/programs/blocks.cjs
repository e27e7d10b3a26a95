// Answers with its pid. After the answer to GET /<milliseconds> its event loop is blocked for that time.
const http = require('node:http');

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

http
  .createServer((request, response) => {
    const blockedMs = Number(request.url?.slice(1));
    response.end(JSON.stringify({ pid: process.pid }));
    if (blockedMs > 0) response.once('finish', () => Atomics.wait(nobodyWakes, 0, 0, blockedMs));
  })
  .listen(Number(process.env.PORT));
