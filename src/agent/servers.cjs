'use strict';
/**
 * The servers that the program listens with: what a drain has to close, and what keeps the
 * process alive as it would under plain `node`.
 */
const { errorMonitor } = require('node:events');
const net = require('node:net');

module.exports = { trackServers, countConnections };

/**
 * @typedef {net.Server & {closeIdleConnections?: () => void}} TrackedServer
 * @typedef {object} Servers
 * @property {Set<TrackedServer>} listening
 * @property {Set<import('node:http2').Http2Session>} http2Sessions
 * @property {Set<(session: import('node:http2').Http2Session) => void>} onSession told of each new one
 */

/**
 * @param {(change: 'listening' | 'closed', name: string) => void} tell
 * @returns {Servers} live sets
 */
function trackServers(tell) {
  /** @type {Servers} */
  const servers = { listening: new Set(), http2Sessions: new Set(), onSession: new Set() };
  const { listen } = net.Server.prototype;
  const waiting = waitingListens(releaseChannel());
  const known = new WeakSet();

  Object.defineProperty(net.Server.prototype, 'listen', {
    configurable: true,
    writable: true,
    value: Object.defineProperties(
      /** @this {TrackedServer} @param {any[]} args */
      function (...args) {
        if (!known.has(this)) track(this, servers, { waiting, tell });
        known.add(this);
        waiting.add(this);
        try {
          return Reflect.apply(listen, this, args);
        } catch (error) {
          waiting.delete(this);
          throw error;
        }
      },
      { name: { value: 'listen' }, length: { value: listen.length } },
    ),
  });
  return servers;
}

/**
 * @param {TrackedServer} server
 * @param {Servers} servers
 * @param {{waiting: {delete: (server: net.Server) => void},
 *   tell: (change: 'listening' | 'closed', name: string) => void}} told
 */
function track(server, servers, { waiting, tell }) {
  const { listening, http2Sessions } = servers;
  /** @type {import('node:events').EventEmitter} */
  const events = server;
  let name = '';
  events.on('listening', () => {
    waiting.delete(server);
    listening.add(server);
    name = nameOf(server.address());
    tell('listening', name);
  });
  // An 'error' listener of ours would keep EADDRINUSE from ending the program: only look on.
  events.on(errorMonitor, () => waiting.delete(server));
  events.on('close', () => {
    waiting.delete(server);
    if (listening.delete(server)) tell('closed', name);
  });
  events.on('session', (session) => {
    http2Sessions.add(session);
    session.once('close', () => http2Sessions.delete(session));
    for (const tell of servers.onSession) tell(session);
  });
}

/**
 * @param {net.Server} server
 * @returns {number} that are open now
 */
function countConnections(server) {
  return /** @type {{_connections?: number}} */ (/** @type {unknown} */ (server))._connections ?? 0;
}

/** @param {ReturnType<net.Server['address']>} address */
function nameOf(address) {
  if (address === null || typeof address === 'string') return address ?? '';
  const isAny = address.address === '::' || address.address === '0.0.0.0';
  return `${isAny ? '*' : address.address}:${address.port}`;
}

/** @param {{hold: () => void, release: () => void}} alive */
function waitingListens(alive) {
  /** @type {Set<net.Server>} */
  const waiting = new Set();
  return {
    /** @param {net.Server} server */
    add(server) {
      waiting.add(server);
      alive.hold();
    },
    /** @param {net.Server} server */
    delete(server) {
      waiting.delete(server);
      if (waiting.size === 0) alive.release();
    },
  };
}

/**
 * node:cluster's own listeners keep the channel referenced, so a program that has nothing left to
 * do would never end. Under plain `node` it does. But while a listen waits for the primary's answer, nothing
 * else may be keeping the process alive.
 */
function releaseChannel() {
  const channel = /** @type {any} */ (process.channel);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const own = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let count = 0; count < own; count++) channel?.unrefCounted?.();
  return {
    hold() {
      timer ??= setInterval(() => {}, 2 ** 30);
    },
    release() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
