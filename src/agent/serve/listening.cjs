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

/** What waits for the outcome of a listen. @type {WeakMap<EventEmitter, (error: any) => void>} */
const reporters = new WeakMap();

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
    if (!this._handle) return;
    endReports(this);
    if (!isPrivate(this)) report(this, track(this));
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
  if (reporters.has(server)) return;
  const reporter = (/** @type {any} */ { syscall, code, address = null, port = null }) => {
    if (syscall !== 'listen' && syscall !== 'bind') return;
    endReports(server);
    send('fault', { code, address, port, isHandled: server.listenerCount('error') > 0 });
  };
  reporters.set(server, reporter);
  // Not 'error': with a listener, EADDRINUSE would no longer crash the program.
  server.on(errorMonitor, reporter);
}

/** The program must not see it in `server.eventNames()`. @param {EventEmitter} server */
function endReports(server) {
  const reporter = reporters.get(server);
  if (reporter) server.off(errorMonitor, reporter);
  reporters.delete(server);
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
