'use strict';
/**
 * Notices when the program's servers listen, without a listener that the program could see, and reports to the
 * primary what each listens on, or why it cannot.
 */
const { errorMonitor } = require('node:events');
const net = require('node:net');
const { send } = require('../channel.cjs');
const { isPrivate } = require('./private-server.cjs');

/**
 * @import { EventEmitter } from 'node:events'
 * @import { Server } from 'node:net'
 */

module.exports = { reportFaults, watchListening, protocolOf };

const known = new WeakSet();

/**
 * @param {(server: Server) => () => void} [track] called with each that listens; its result is called when that is closed
 */
function watchListening(track = () => () => {}) {
  const { prototype } = /** @type {any} */ (net.Server);
  // Node (20 to 26) opens each socket by this name, to be compatible with code that wraps it.
  const { _listen2: open } = prototype;
  /** @this {any} @param {any[]} args */
  prototype._listen2 = function (...args) {
    reportFaults(this);
    Reflect.apply(open, this, args);
    if (this._handle && !isPrivate(this)) report(this, track(this));
  };
}

/** @param {Server} server @param {() => void} untrack */
function report(server, untrack) {
  const name = formatAddress(server.address());
  send('listening', { name, protocol: protocolOf(server) });
  const { _handle: handle } = /** @type {any} */ (server);
  const { close } = handle;
  handle.close = (/** @type {any[]} */ ...args) => {
    server.once('close', () => {
      untrack();
      send('closed', { name });
    });
    Reflect.apply(close, handle, args);
  };
}

/** @param {EventEmitter} server that is about to listen */
function reportFaults(server) {
  if (known.has(server)) return;
  known.add(server);
  // Not 'error': with a listener, EADDRINUSE would no longer crash the program.
  server.on(errorMonitor, ({ syscall, code, address = null, port = null }) => {
    if (syscall !== 'listen' && syscall !== 'bind') return;
    send('fault', { code, address, port, isHandled: server.listenerCount('error') > 0 });
  });
}

/** @param {ReturnType<Server['address']>} address */
function formatAddress(address) {
  if (address === null || typeof address === 'string') return address ?? '';
  const { address: host, port } = address;
  if (host === '::' || host === '0.0.0.0') return `*:${port}`;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Known from its methods, because node:http and node:https may not be loaded.
 * @param {Server} server
 * @returns {'http' | 'https' | null}
 */
function protocolOf(server) {
  const isHttp = 'closeIdleConnections' in server || 'updateSettings' in server;
  if (!isHttp) return null;
  return 'setSecureContext' in server ? 'https' : 'http';
}
