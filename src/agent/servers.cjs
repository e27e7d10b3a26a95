'use strict';
/**
 * The servers that the program listens with: what a drain has to close, and what keeps the
 * process alive as it would under plain `node`.
 */
const { errorMonitor } = require('node:events');
const net = require('node:net');

module.exports = { trackServers };

/**
 * @typedef {net.Server & {closeIdleConnections?: () => void}} TrackedServer
 * @typedef {object} Servers
 * @property {Set<TrackedServer>} listening
 * @property {Set<import('node:http2').Http2Session>} http2Sessions
 */

/** @returns {Servers} live sets */
function trackServers() {
  /** @type {Servers} */
  const servers = { listening: new Set(), http2Sessions: new Set() };
  const { listen } = net.Server.prototype;
  const alive = releaseChannel();

  Object.defineProperty(net.Server.prototype, 'listen', {
    configurable: true,
    writable: true,
    value: Object.defineProperties(
      /** @this {TrackedServer} @param {any[]} args */
      function (...args) {
        watch(this, servers, alive);
        return Reflect.apply(listen, this, args);
      },
      { name: { value: 'listen' }, length: { value: listen.length } },
    ),
  });
  return servers;
}

/**
 * @param {TrackedServer} server
 * @param {Servers} servers
 * @param {{hold: () => void, release: () => void}} alive
 */
function watch(server, { listening, http2Sessions }, alive) {
  if (server.listening) return;
  alive.hold();
  /** @type {import('node:events').EventEmitter} */
  const events = server;
  const settled = () => {
    events.off('listening', settled).off(errorMonitor, settled).off('close', settled);
    alive.release();
    if (server.listening) listening.add(server);
  };
  // An 'error' listener of ours would keep EADDRINUSE from ending the program: only look on.
  events.on('listening', settled).on(errorMonitor, settled).on('close', settled);
  events.once('close', () => listening.delete(server));
  events.on('session', (session) => {
    http2Sessions.add(session);
    session.once('close', () => http2Sessions.delete(session));
  });
}

/**
 * node:cluster's own listeners keep the channel referenced, so a program that has nothing left to
 * do would never end. Under plain `node` it does. But while a listen waits for the primary's answer, nothing
 * else may be keeping the process alive.
 */
function releaseChannel() {
  const channel = /** @type {any} */ (process.channel);
  let pending = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const own = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let count = 0; count < own; count++) channel?.unrefCounted?.();
  return {
    hold() {
      pending += 1;
      timer ??= setInterval(() => {}, 2 ** 30);
    },
    release() {
      pending -= 1;
      if (pending > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
