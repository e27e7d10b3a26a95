'use strict';
/** Gives the program's own HTTP server the connections over which the primary asks whether it is healthy. */
const net = require('node:net');
const { onMessage, send } = require('../../agent/channel.cjs');
const { protocolOf } = require('../../agent/listening.cjs');
const { acceptOwn } = require('../../agent/servers.cjs');

/** @import { Servers } from '../../agent/servers.cjs' */

const PEER = { address: '127.0.0.1', family: 'IPv4', port: 0 };

/** @param {Servers} servers of the program */
function start(servers) {
  onMessage('health', ({ port }) => {
    const server = findServer(servers, port);
    send('health', { protocol: server ? protocolOf(server) : null });
  });
  onMessage('health-connection', ({ port }, handle) => {
    const server = findServer(servers, port);
    if (!server) return handle.close();
    handle.getpeername = (/** @type {object} */ out) => Object.assign(out, PEER) && 0;
    const socket = new net.Socket(/** @type {net.SocketConstructorOpts} */ ({ handle }));
    acceptOwn(server, socket.unref());
  });
}

/** @param {Servers} servers @param {number | null} port null: the first one that listens */
function findServer({ listening }, port) {
  for (const server of listening) {
    const address = /** @type {net.AddressInfo | null} */ (server.address());
    if (protocolOf(server) !== null && (port === null || address?.port === port)) return server;
  }
}

module.exports = { start };
