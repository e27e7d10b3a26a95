'use strict';
/** The servers of the program: a drain closes them, telemetry counts their connections. */
const net = require('node:net');
const { holdWhileWaiting } = require('./hold-while-waiting.cjs');
const { reportFaults, watchListening } = require('./listening.cjs');

/**
 * @import { Cluster } from 'node:cluster'
 * @import { EventEmitter } from 'node:events'
 * @import { Http2Session } from 'node:http2'
 * @import { Server } from 'node:net'
 */

module.exports = { trackServers, countConnections, acceptUntracked };

/**
 * @typedef {Server & {closeIdleConnections?: () => void}} TrackedServer
 *
 * @typedef {object} Servers
 * @property {Set<TrackedServer>} listening
 * @property {Set<(server: TrackedServer) => void>} onListening called with each that begins to listen
 * @property {Set<Http2Session>} http2Sessions
 * @property {Set<(session: Http2Session) => void>} onSession called with each new one
 */

/** A server reports a new session within its event for the connection. */
let isAgentConnecting = false;

/**
 * @param {Cluster} cluster
 * @param {(server: Server) => void} onListen called before a server gets a socket from the primary
 * @returns {Servers} live sets
 */
function trackServers(cluster, onListen) {
  /** @type {Servers} */
  const servers = {
    listening: new Set(),
    onListening: new Set(),
    http2Sessions: new Set(),
    onSession: new Set(),
  };
  holdWhileWaiting(cluster, (socket) => {
    if (!(socket instanceof net.Server)) return;
    onListen(socket);
    reportFaults(socket);
  });
  const known = new WeakSet();
  watchListening((server) => {
    servers.listening.add(server);
    for (const callback of servers.onListening) callback(server);
    if (!known.has(server)) trackSessions(server, servers);
    known.add(server);
    return () => servers.listening.delete(server);
  });
  return servers;
}

/** @param {() => void} accept makes a server accept a connection of the agent, which is no client */
function acceptUntracked(accept) {
  isAgentConnecting = true;
  try {
    accept();
  } finally {
    isAgentConnecting = false;
  }
}

/** @param {TrackedServer} server @param {Servers} servers */
function trackSessions(server, { http2Sessions, onSession }) {
  // Only http2 has sessions, and the program sees this listener.
  if (!('updateSettings' in server)) return;
  /** @type {EventEmitter} */
  const events = server;
  events.on('session', (session) => {
    if (isAgentConnecting) return;
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
