'use strict';
/** The servers of the program: a drain closes them, telemetry counts their connections. */
const { holdWhileListening } = require('./hold-while-listening.cjs');
const { isPrivate } = require('./private-server.cjs');
const { reportListening } = require('./listen-reports.cjs');

/**
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
 * @param {(server: Server) => void} onListen called before each listen
 * @returns {Servers} live sets
 */
function trackServers(onListen) {
  /** @type {Servers} */
  const servers = {
    listening: new Set(),
    onListening: new Set(),
    http2Sessions: new Set(),
    onSession: new Set(),
  };
  const known = new WeakSet();
  holdWhileListening((server) => {
    onListen(server);
    if (known.has(server)) return;
    known.add(server);
    track(server, servers);
    reportListening(server);
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
function track(server, { listening, onListening, http2Sessions, onSession }) {
  /** @type {EventEmitter} */
  const events = server;
  events.on('listening', () => {
    if (isPrivate(server)) return;
    listening.add(server);
    for (const callback of onListening) callback(server);
  });
  events.on('close', () => listening.delete(server));
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
