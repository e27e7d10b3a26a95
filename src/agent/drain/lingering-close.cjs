'use strict';
/** The program may replace the globals. */
const { clearTimeout, setTimeout } = require('node:timers');

/** @import { Socket } from 'node:net' */

module.exports = { lingerOnClose };

/** A client closes as soon as it sees our end; this limit is for one that does not. */
const MAX_LINGER_MS = 1000;

/**
 * Closes as RFC 9112, 9.6 recommends: our side first, while what the client still sends is read and
 * discarded until it closes its own. An immediate close would answer such bytes with a reset, which
 * may keep the client from reading the response before it.
 * @param {Socket} socket that Node's HTTP server closes after its last response
 */
function lingerOnClose(socket) {
  socket.destroySoon = () => {
    if (socket.destroyed || socket.writableEnded) return;
    const timer = setTimeout(() => socket.destroy(), MAX_LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    // Including the HTTP parser: no further request of this connection may be executed.
    socket.removeAllListeners('data');
    socket.on('data', () => {});
    socket.resume();
    socket.end();
  };
}
