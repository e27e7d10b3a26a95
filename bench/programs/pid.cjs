// Answers with its pid.
const http = require('node:http');

http
  .createServer((_request, response) => response.end(JSON.stringify({ pid: process.pid })))
  .listen(Number(process.env.PORT));
