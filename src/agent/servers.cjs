'use strict';
/** The servers of the program: a drain closes them, telemetry counts their connections. */
const net = require('node:net');
const { constants } = require('node:os');
const { apply, attempt, before, clearInterval, guarded, setInterval } = require('./guard.cjs');
const { reportFaults, watchListening } = require('./listening.cjs');

/**
 * @import { Cluster } from 'node:cluster'
 * @import { EventEmitter } from 'node:events'
 * @import { Http2Session } from 'node:http2'
 * @import { Server } from 'node:net'
 */

module.exports = { trackServers, countConnections, acceptOwn, isOfAgent, newProcessHold };

/**
 * @typedef {Server & {closeIdleConnections?: () => void}} TrackedServer
 *
 * @typedef {object} Servers
 * @property {Set<TrackedServer>} listening
 * @property {Set<(server: TrackedServer) => void>} onListening called with each that begins to listen
 * @property {Set<Http2Session>} http2Sessions
 * @property {Set<(session: Http2Session) => void>} onSession called with each new one
 */

/** Connections of health checks, which are no clients. @type {WeakSet<object>} */
const ofAgent = new WeakSet();

/** @param {Cluster} cluster @returns {Servers} live sets */
function trackServers(cluster) {
  /** @type {Servers} */
  const servers = {
    listening: new Set(),
    onListening: new Set(),
    http2Sessions: new Set(),
    onSession: new Set(),
  };
  attempt(() => holdWhileWaiting(cluster));
  const known = new WeakSet();
  const track = (/** @type {Server} */ server) => {
    servers.listening.add(server);
    for (const callback of servers.onListening) callback(server);
    if (!known.has(server)) trackSessions(server, servers);
    known.add(server);
    return () => servers.listening.delete(server);
  };
  attempt(() => watchListening(track));
  return servers;
}

/** @param {Server} server @param {object} socket of the agent */
function acceptOwn(server, socket) {
  ofAgent.add(socket);
  server.emit('connection', socket);
}

/** @param {any} socket of a request, perhaps with TLS over another one */
function isOfAgent(socket) {
  return ofAgent.has(socket) || ofAgent.has(socket?._parent);
}

/** @param {TrackedServer} server @param {Servers} servers */
function trackSessions(server, { http2Sessions, onSession }) {
  // Only http2 has sessions, and the program sees this listener.
  if (!('updateSettings' in server)) return;
  /** @type {EventEmitter} */
  const events = server;
  const note = guarded((/** @type {Http2Session} */ session) => {
    http2Sessions.add(session);
    session.once(
      'close',
      guarded(() => http2Sessions.delete(session)),
    );
    for (const callback of onSession) callback(session);
  });
  events.on('session', note);
}

/** @param {Server} server @returns {number} open now */
function countConnections(server) {
  return /** @type {{_connections?: number}} */ (server)._connections ?? 0;
}

/**
 * A program with nothing left to do exits, although node:cluster listens on the channel. But while it waits for the
 * primary's reply to a listen, bind or disconnect, nothing else may keep the process alive.
 * @param {any} cluster
 */
function holdWhileWaiting(cluster) {
  const channel = /** @type {any} */ (process.channel);
  const count = process.listenerCount('message') + process.listenerCount('disconnect');
  for (let index = 0; index < count; index++) channel?.unrefCounted?.();
  const { hold, release } = newProcessHold();
  let waiting = 0;
  const begin = guarded((/** @type {unknown} */ server, /** @type {any} */ options) => {
    waiting += 1;
    hold();
    if (server instanceof net.Server) reportFaults(server);
    // node:dgram passes on what the program gave it, such as `process.env.PORT` or 70000. The system's handle converts it
    // like this; the primary takes only a port.
    if (typeof options?.addressType === 'string') options.port = Number(options.port) & 0xff_ff;
  });
  const end = guarded((/** @type {any} */ handle) => {
    waiting -= 1;
    if (waiting === 0) release();
    if (handle?.addMembership) shareMemberships(handle);
  });
  const { _getServer: request, worker } = cluster;
  // node:net and node:dgram call it by this name (Node 20 to 26).
  cluster._getServer = (
    /** @type {any} */ server,
    /** @type {any} */ options,
    /** @type {Function} */ callback,
  ) => {
    begin(server, options);
    request(server, options, (/** @type {any[]} */ ...reply) => {
      end(reply[1]);
      apply(callback, undefined, reply);
    });
  };
  before(worker, 'disconnect', () => {
    if (!worker.isConnected()) return;
    begin(null, null);
    worker.once('disconnect', end);
  });
}

const { EADDRINUSE, EADDRNOTAVAIL } = constants.errno;
/** How a multicast group is joined and left, and what fails if it is joined a second time. */
const MEMBERSHIPS = /** @type {const} */ ([
  ['addMembership', 'dropMembership', -EADDRINUSE],
  ['addSourceSpecificMembership', 'dropSourceSpecificMembership', -EADDRNOTAVAIL],
]);

/**
 * Members of a multicast group are sockets, and workers share theirs: the second could not join, and who leaves would leave
 * for all. So the socket stays in a group until it is closed.
 * @param {any} handle of node:dgram
 */
function shareMemberships(handle) {
  for (const [add, drop, ifJoined] of MEMBERSHIPS) {
    const { [add]: join } = handle;
    handle[add] = (/** @type {unknown[]} */ ...group) => {
      const error = apply(join, handle, group);
      return error === ifJoined ? 0 : error;
    };
    handle[drop] = () => 0;
  }
}

/** @returns {{hold: () => void, release: () => void}} keeps the process alive between the two */
function newProcessHold() {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
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
