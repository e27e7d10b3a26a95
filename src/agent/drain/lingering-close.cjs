'use strict';
/**
 * Ends a connection as RFC 9112, 9.6 recommends: our side first, and what the client still sends is
 * read and thrown away until it ends its own. A close at once answers such bytes with a reset, and
 * a client that is told so while it writes may never read the answer that came before.
 */
const timers = require('node:timers');

/** @import { Socket } from 'node:net' */

module.exports = { lingerOnClose };

/** Kept from before the program can put others in their place. */
const { setTimeout, clearTimeout } = timers;
/** A client that hears the end closes at once; this is for one that does not. In milliseconds. */
const MAX_LINGER_MS = 1000;

/** @param {Socket} socket that Node's HTTP server ends after its last answer */
function lingerOnClose(socket) {
  socket.destroySoon = () => {
    if (socket.destroyed || socket.writableEnded) return;
    const timer = setTimeout(() => socket.destroy(), MAX_LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    // The HTTP parser is among them: no further request of this connection may be executed.
    socket.removeAllListeners('data');
    socket.on('data', () => {});
    socket.resume();
    socket.end();
  };
}
