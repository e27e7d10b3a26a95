// Answers with its pid, and notes in the file NOTES each connection ("c <ms> <port> <pid>"), if it
// comes through the primary before it is acknowledged, and each request that it executes ("r <id>").
const fs = require('node:fs');
const http = require('node:http');

const notes = fs.openSync(String(process.env.NOTES), 'a');

/** @param {number | undefined} port the client's */
function noteConnection(port) {
  fs.writeSync(notes, `c ${Date.now()} ${port} ${process.pid}\n`);
}

process.prependListener(
  /** @type {any} */ ('internalMessage'),
  (/** @type {any} */ message, /** @type {any} */ handle) => {
    if (message?.act !== 'newconn' || !handle) return;
    const peer = { port: 0 };
    handle.getpeername(peer);
    noteConnection(peer.port);
  },
);

http
  .createServer((request, response) => {
    const id = String(request.headers['x-request-id']);
    fs.writeSync(notes, `r ${id}\n`);
    response.setHeader('x-request-id', id);
    response.end(JSON.stringify({ pid: process.pid }));
  })
  .on('connection', (socket) => noteConnection(socket.remotePort))
  .listen(Number(process.env.PORT));
