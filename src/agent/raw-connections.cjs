'use strict';
/**
 * Which connections a drain does not wait for: those of this process to itself, and silent ones of servers other than HTTP.
 * They are looked for among Node's handles; what is not found is waited for. Until then, only writes are noted.
 */
const net = require('node:net');
const { before, now } = require('./guard.cjs');
const { protocolOf } = require('./listening.cjs');

/**
 * @import { Socket } from 'node:net'
 * @import { Servers, TrackedServer } from './servers.cjs'
 *
 * @typedef {Socket & {server?: TrackedServer, parser?: object, _httpMessage?: object, _handle: null |
 *   {bytesRead: number, bytesWritten: number}}} Connection
 */

/** A request may be on its way on a connection that is silent. */
const SILENCE_MS = 500;
/** How much had been read when the program last wrote. @type {WeakMap<Socket, number>} */
const readAtLastWrite = new WeakMap();
/** By the connection below it. @type {WeakMap<Socket, Socket>} */
const encrypted = new WeakMap();

/** @param {Pick<Servers, 'onListening'>} servers */
function watchRawServers({ onListening }) {
  const raw = new WeakSet();
  const hooked = new Set();
  /** Under these names on Node 20 to 26. @type {typeof before} */
  const hook = (prototype, name, note) => {
    // The socket may be one of the program's own making. Then it is waited for.
    if (!hooked.has(name)) before(prototype, name, note);
    hooked.add(name);
  };
  onListening.add((server) => {
    if (protocolOf(server) !== null) return;
    raw.add(server);
    hook(net.Socket.prototype, '_writeGeneric', (socket) => {
      if (raw.has(socket.server)) readAtLastWrite.set(socket, socket.bytesRead);
    });
    if (!('setSecureContext' in server)) return;
    hook(require('node:tls').TLSSocket.prototype, '_init', (socket, [below]) => {
      if (raw.has(below?.server)) encrypted.set(below, socket);
    });
  });
}

class RawConnections {
  /** What had moved when each was first seen, and until when it is waited for anyway. @type {WeakMap<Connection, {bytes: number, untilMs: number}>} */
  #seen = new WeakMap();
  #isFirst = true;

  /** How many connections of theirs need not be waited for. @param {readonly TrackedServer[]} servers */
  countIdle(servers) {
    try {
      // Also exists on Node 20 to 26, and a program can put anything into its place.
      const handles = /** @type {any} */ (process)._getActiveHandles();
      const own = new Set();
      for (const { server, localAddress, localPort, remotePort } of handles)
        // Not one that a server has accepted. A unix socket has no port.
        if (!server && remotePort) own.add(nameOf(localAddress, localPort, remotePort));
      let idle = 0;
      for (const server of servers)
        for (const each of handles)
          if (each.server === server && this.#isIdle(each, server, own)) idle += 1;
      return idle;
    } catch {
      return 0;
    } finally {
      this.#isFirst = false;
    }
  }

  /** @param {Connection} connection @param {TrackedServer} server @param {Set<string>} own */
  #isIdle(connection, server, own) {
    const { remoteAddress, remotePort, localPort, parser, _httpMessage: response } = connection;
    const isOwn = own.size > 0 && own.has(nameOf(remoteAddress, remotePort, localPort));
    if (protocolOf(server) === null) return isOwn || this.#isSilent(connection);
    // Not one that upgrades, or has been upgraded. With TLS and HTTP/2 that cannot be seen from below.
    const isPlain = !('setSecureContext' in server || 'updateSettings' in server);
    return isOwn && isPlain && !(parser && response);
  }

  /**
   * Not if anything has moved since the drain began, if the program was the last to receive, since it may owe an answer,
   * or if it could not write all of that.
   * @param {Connection} connection
   */
  #isSilent(connection) {
    const { _handle: handle } = connection;
    if (!handle) return false;
    const nowMs = now();
    const moved = handle.bytesRead + handle.bytesWritten;
    const seen = this.#seen.get(connection) ?? {
      bytes: this.#isFirst ? moved : 0,
      untilMs: nowMs + SILENCE_MS,
    };
    this.#seen.set(connection, seen);
    const socket = encrypted.get(connection) ?? connection;
    const isOwed = socket.bytesRead > (readAtLastWrite.get(socket) ?? 0);
    return moved === seen.bytes && !isOwed && socket.writableLength === 0 && nowMs >= seen.untilMs;
  }
}

/** @param {string | undefined} address @param {unknown} from the client's port @param {unknown} to the server's */
function nameOf(address, from, to) {
  // As a socket for both families calls one of IPv4.
  return `${address?.replace(/^::ffff:/, '')} ${from} ${to}`;
}

module.exports = { watchRawServers, RawConnections };
