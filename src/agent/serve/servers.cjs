'use strict';
/**
 * The servers that the program listens with: what a drain has to close, and what keeps the
 * process alive as it would under plain `node`.
 */
const dgram = require('node:dgram');
const { errorMonitor } = require('node:events');
const net = require('node:net');

/**
 * @import { EventEmitter } from 'node:events'
 * @import { Http2Session } from 'node:http2'
 */

module.exports = { trackServers, countConnections };

/**
 * @typedef {net.Server & {closeIdleConnections?: () => void}} TrackedServer
 * @typedef {object} Servers
 * @property {Set<TrackedServer>} listening
 * @property {Set<Http2Session>} http2Sessions
 * @property {Set<(session: Http2Session) => void>} onSession told of each new one
 */

/**
 * @param {(change: 'listening' | 'closed', name: string) => void} tell
 * @returns {Servers} live sets
 */
function trackServers(tell) {
  /** @type {Servers} */
  const servers = { listening: new Set(), http2Sessions: new Set(), onSession: new Set() };
  const waiting = waitingForPrimary(releaseChannel());
  const known = new WeakSet();
  /** @param {TrackedServer} server */
  const onListen = (server) => {
    if (!known.has(server)) track(server, servers, tell);
    known.add(server);
  };
  holdDuring(net.Server.prototype, 'listen', { waiting, before: onListen });
  holdDuring(dgram.Socket.prototype, 'bind', { waiting, before: () => {} });
  return servers;
}

/**
 * @param {any} prototype
 * @param {'listen' | 'bind'} method that asks the primary for a socket
 * @param {{waiting: ReturnType<typeof waitingForPrimary>, before: (asker: any) => void}} then
 */
function holdDuring(prototype, method, { waiting, before }) {
  const original = prototype[method];
  Object.defineProperty(prototype, method, {
    configurable: true,
    writable: true,
    value: Object.defineProperties(
      /** @this {EventEmitter} @param {any[]} args */
      function (...args) {
        before(this);
        const release = waiting.add(this);
        try {
          return Reflect.apply(original, this, args);
        } catch (error) {
          release();
          throw error;
        }
      },
      { name: { value: method }, length: { value: original.length } },
    ),
  });
}

/**
 * @param {TrackedServer} server
 * @param {Servers} servers
 * @param {(change: 'listening' | 'closed', name: string) => void} tell
 */
function track(server, servers, tell) {
  const { listening, http2Sessions } = servers;
  /** @type {EventEmitter} */
  const events = server;
  let name = '';
  events.on('listening', () => {
    listening.add(server);
    name = nameOf(server.address());
    tell('listening', name);
  });
  events.on('close', () => {
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
function waitingForPrimary(alive) {
  /** @type {Set<EventEmitter>} */
  const waiting = new Set();
  const known = new WeakSet();
  /** @param {EventEmitter} asker */
  const end = (asker) => {
    waiting.delete(asker);
    if (waiting.size === 0) alive.release();
  };
  return {
    /**
     * @param {EventEmitter} asker
     * @returns {() => void} it does not wait; what it had asked for before it still waits for
     */
    add(asker) {
      const waitedBefore = waiting.has(asker);
      waiting.add(asker);
      alive.hold();
      // An 'error' listener of ours would keep EADDRINUSE from ending the program: only look on.
      const ends = known.has(asker) ? [] : ['listening', errorMonitor, 'close'];
      for (const name of ends) asker.on(name, () => end(asker));
      known.add(asker);
      return () => void (waitedBefore || end(asker));
    },
  };
}

/**
 * node:cluster's own listeners keep the channel referenced, so a program that has nothing left to
 * do would never end. Under plain `node` it does. But while a listen or a bind waits for the
 * primary's answer, nothing else may be keeping the process alive.
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
