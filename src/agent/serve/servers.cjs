'use strict';
/** The servers of the program: a drain closes them, telemetry counts their connections. */
const { holdWhileListening } = require('./hold-while-listening.cjs');

/**
 * @import { EventEmitter } from 'node:events'
 * @import { Http2Session } from 'node:http2'
 * @import { Server } from 'node:net'
 */

module.exports = { trackServers, countConnections };

/**
 * @typedef {Server & {closeIdleConnections?: () => void}} TrackedServer
 *
 * @typedef {object} Servers
 * @property {Set<TrackedServer>} listening
 * @property {Set<Http2Session>} http2Sessions
 * @property {Set<(session: Http2Session) => void>} onSession called with each new one
 *
 * @typedef {(change: 'listening' | 'closed', name: string) => void} Report
 */

/**
 * @param {Report} report
 * @returns {Servers} live sets
 */
function trackServers(report) {
  /** @type {Servers} */
  const servers = { listening: new Set(), http2Sessions: new Set(), onSession: new Set() };
  const known = new WeakSet();
  holdWhileListening((server) => {
    if (known.has(server)) return;
    known.add(server);
    track(server, servers, report);
  });
  return servers;
}

/** @param {TrackedServer} server @param {Servers} servers @param {Report} report */
function track(server, { listening, http2Sessions, onSession }, report) {
  /** @type {EventEmitter} */
  const events = server;
  let name = '';
  events.on('listening', () => {
    listening.add(server);
    name = formatAddress(server.address());
    report('listening', name);
  });
  events.on('close', () => {
    if (listening.delete(server)) report('closed', name);
  });
  events.on('session', (session) => {
    http2Sessions.add(session);
    session.once('close', () => http2Sessions.delete(session));
    for (const callback of onSession) callback(session);
  });
}

/**
 * @param {Server} server
 * @returns {number} open now
 */
function countConnections(server) {
  return /** @type {{_connections?: number}} */ (/** @type {unknown} */ (server))._connections ?? 0;
}

/** @param {ReturnType<Server['address']>} address */
function formatAddress(address) {
  if (address === null || typeof address === 'string') return address ?? '';
  const isAny = address.address === '::' || address.address === '0.0.0.0';
  return `${isAny ? '*' : address.address}:${address.port}`;
}
