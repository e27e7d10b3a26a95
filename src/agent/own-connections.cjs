'use strict';
/**
 * A connection of this worker to its own server, of another protocol than HTTP, stays in this process. An older worker
 * might accept it, whose drain would wait for it: only the program knows whether an answer is owed.
 */
const net = require('node:net');
const { apply, asProgram, attempt, guarded, replace } = require('./guard.cjs');
const { protocolOf } = require('./listening.cjs');

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Client } from './channel.cjs'
 * @import { Servers, TrackedServer } from './servers.cjs'
 */

module.exports = { keepOwnConnections };

const HOST = '127.0.0.1';
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const ANY = ['::', '0.0.0.0'];

/** @typedef {Client & {fd: number, getsockname: (address: object) => void, getpeername: (address: object) => void}} Connection */

/** @param {Servers} servers @param {(client: Client) => void} note called with the server's end of each, before the server */
function keepOwnConnections({ listening, onListening }, note) {
  let isHooked = false;
  const hook = guarded((/** @type {TrackedServer} */ server) => {
    if (isHooked || protocolOf(server) !== null) return;
    const { socket, prototype } = openSocket();
    socket.close();
    const { connect, connect6 } = prototype;
    const keep = guarded(
      (/** @type {Connection} */ client, /** @type {any[]} */ [request, to, port]) => {
        const own = [...listening].find((each) => listensAt(each, to, port));
        // One that has a descriptor is bound to an address.
        if (!own || client.fd >= 0) return undefined;
        const connectTo = (/** @type {number} */ listens) =>
          apply(connect, client, [request, HOST, listens]);
        return connectInside(own, client, connectTo, note);
      },
    );
    for (const [name, act] of Object.entries({ connect, connect6 })) {
      /** @this {Connection} @param {any[]} args */
      const value = function (...args) {
        return keep(this, args) ?? apply(act, this, args);
      };
      replace(prototype, name, value);
    }
    isHooked = true;
  });
  onListening.add(hook);
}

/** @returns {{socket: any, prototype: any}} with a port that the system chose */
function openSocket() {
  // Under this name on Node 20 to 26.
  const socket = /** @type {any} */ (net)._createServerHandle(HOST, 0, 4);
  return { socket, prototype: Object.getPrototypeOf(socket) };
}

/** @param {TrackedServer} server @param {string} to @param {number} port */
function listensAt(server, to, port) {
  const bound = /** @type {AddressInfo | null} */ (server.address());
  if (protocolOf(server) !== null || bound?.port !== port) return false;
  return bound.address === to || (ANY.includes(bound.address) && LOOPBACK.test(to));
}

/**
 * @param {any} server
 * @param {Connection} client
 * @param {(port: number) => number} connectTo
 * @param {(client: Client) => void} note
 * @returns {number} 0, or the error of the system
 */
function connectInside(server, client, connectTo, note) {
  const { socket } = openSocket();
  let clientPort = 0;
  socket.onconnection = guarded((/** @type {number} */ error, /** @type {any} */ accepted) => {
    if (accepted) {
      note(accepted);
      // Another process may be faster, and is a client like any other.
      if (portOf(accepted, 'getpeername') === clientPort) socket.close();
    }
    const { _handle: handle } = server;
    if (handle) asProgram(() => apply(handle.onconnection, handle, [error, accepted]));
    else accepted?.close();
  });
  socket.unref();
  socket.listen(1);
  const result = connectTo(portOf(socket, 'getsockname'));
  attempt(() => (clientPort = portOf(client, 'getsockname')));
  if (result !== 0) socket.close();
  return result;
}

/** @param {Connection} handle @param {'getsockname' | 'getpeername'} side */
function portOf(handle, side) {
  const address = { port: 0 };
  handle[side](address);
  return address.port;
}
