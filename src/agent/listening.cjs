'use strict';
/** Reports what the program's servers listen on, or why they cannot, without a listener that the program could see. */
const { errorMonitor } = require('node:events');
const net = require('node:net');
const { send } = require('./channel.cjs');
const { apply, before, guarded, replace } = require('./guard.cjs');

/**
 * @import { EventEmitter } from 'node:events'
 * @import { Server } from 'node:net'
 */

module.exports = { reportFaults, watchListening, countUnopened, protocolOf, shareExclusive };

/** What waits for the outcome of a listen. @type {WeakMap<EventEmitter, (error: any) => void>} */
const reporters = new WeakMap();
/** What the constructor of a server sets (Node 20 to 26), by which it is noticed. */
const SET_FIRST = 'pauseOnConnect';
/** Servers that have not begun to listen. @type {WeakSet<Server>} */
const unopened = new WeakSet();
let unopenedCount = 0;
const OWN_PID = new RegExp(`(^|\\D)${process.pid}(\\D|$)`);

/** @param {(server: Server) => () => void} [track] called with each that listens; its result, when that is closed */
function watchListening(track = () => () => {}) {
  const { prototype } = /** @type {any} */ (net.Server);
  // Node (20 to 26) opens each socket by this name, to be compatible with code that wraps it.
  const { _listen2: open, address } = prototype;
  watchConstruction(prototype);
  const before = guarded((/** @type {Server} */ server) => {
    if (unopened.delete(server)) unopenedCount -= 1;
    reportFaults(server);
  });
  const end = guarded(endReports);
  const trackIt = guarded(track);
  const addressOf = guarded((/** @type {Server} */ server) => apply(address, server, []));
  const after = guarded((/** @type {any} */ server, /** @type {boolean} */ isChosen) => {
    if (!server._handle) return;
    end(server);
    const bound = addressOf(server) ?? null;
    // A unix socket with this pid in its path is made for its own children, as by tsx. No other worker serves it, and a
    // drain would wait for children that live as long as the worker.
    if (typeof bound === 'string' && OWN_PID.test(bound)) return;
    report(server, { name: formatAddress(bound), isChosen }, trackIt(server));
  });
  /** @this {any} @param {any[]} args */
  prototype._listen2 = function (...args) {
    before(this);
    apply(open, this, args);
    after(this, args[1] === 0);
  };
}

/** Each server gets the property as without this. @param {object} prototype */
function watchConstruction(prototype) {
  const note = guarded((/** @type {Server} */ server) => {
    unopened.add(server);
    unopenedCount += 1;
  });
  Object.defineProperty(prototype, SET_FIRST, {
    configurable: true,
    /** @this {Server} @param {unknown} value */
    set(value) {
      replace(this, SET_FIRST, value);
      note(this);
    },
  });
}

/** @returns {number} of servers that were made and do not listen: `listen` may wait for the address of a host, for one */
function countUnopened() {
  return unopenedCount;
}

/**
 * @param {Server} server
 * @param {{name: string, isChosen: boolean}} address name: empty: not known; isChosen: by the system
 * @param {(() => void) | undefined} untrack
 */
function report(server, { name, isChosen }, untrack) {
  send('listening', { name, protocol: protocolOf(server), isChosen });
  const closed = guarded(() => {
    untrack?.();
    send('closed', { name });
  });
  const { _handle: handle } = /** @type {any} */ (server);
  before(handle, 'close', () => server.once('close', closed));
}

/** @param {EventEmitter} server that is about to listen */
function reportFaults(server) {
  if (reporters.has(server)) return;
  const reporter = guarded((/** @type {any} */ { syscall, code, address = null, port = null }) => {
    if (syscall !== 'listen' && syscall !== 'bind') return;
    endReports(server);
    send('fault', { code, address, port, isHandled: server.listenerCount('error') > 0 });
  });
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

/** Known from its methods, because node:http and node:https may not be loaded. @param {Server} server */
function protocolOf(server) {
  const isHttp = 'closeIdleConnections' in server || 'updateSettings' in server;
  if (!isHttp) return null;
  return 'setSecureContext' in server ? 'https' : 'http';
}

/**
 * `exclusive: true` bypasses node:cluster: only one worker could have the port, and no replacement could listen beside it.
 * srvx sets it for every server, and so does h3 2, which uses it.
 */
function shareExclusive() {
  const { listen } = net.Server.prototype;
  const shared = guarded(withoutExclusive);
  /** @this {net.Server} @param {any[]} args */
  const value = function (...args) {
    return apply(listen, this, shared(args) ?? args);
  };
  Object.defineProperties(value, { name: { value: 'listen' }, length: { value: listen.length } });
  Object.defineProperty(net.Server.prototype, 'listen', {
    configurable: true,
    writable: true,
    value,
  });
}

/** Not port 0 and unix sockets, which may be meant for this process alone. @param {any[]} args of a `listen` */
function withoutExclusive(args) {
  const [options, ...others] = args;
  const { exclusive, reusePort, port } = options ?? {};
  if (!exclusive || reusePort || !(Number(port) > 0)) return args;
  // The object is the program's, and may inherit its port.
  return [Object.create(options, { exclusive: { value: false, writable: true } }), ...others];
}
