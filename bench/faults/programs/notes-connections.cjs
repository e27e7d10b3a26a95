// Answers with its pid, and notes in the file NOTES each connection as soon as it has it in hand
// ("c <ms> <port> <pid>"), and each request that it executes ("r <id>").
const fs = require('node:fs');
const http = require('node:http');

const notes = fs.openSync(String(process.env.NOTES), 'a');

const server = http.createServer((request, response) => {
  const id = String(request.headers['x-request-id']);
  fs.writeSync(notes, `r ${id}\n`);
  response.setHeader('x-request-id', id);
  response.end(JSON.stringify({ pid: process.pid }));
});

server.listen(Number(process.env.PORT), () => {
  // Earlier than 'connection': a worker that is killed in between had it all the same.
  const { _handle: handle } = /** @type {any} */ (server);
  const own = handle.onconnection;
  handle.onconnection = function (/** @type {number} */ error, /** @type {any} */ client) {
    const peer = { port: 0 };
    client?.getpeername(peer);
    fs.writeSync(notes, `c ${Date.now()} ${peer.port} ${process.pid}\n`);
    return own.call(this, error, client);
  };
});
