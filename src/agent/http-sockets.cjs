'use strict';
/** The connections of the program's HTTP servers: how long idle ones stay open, what is open on them, and how they end. */
const diagnostics = require('node:diagnostics_channel');
const guard = require('./guard.cjs');
const { isOfAgent } = require('./servers.cjs');

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Http2Session, ServerHttp2Stream } from 'node:http2'
 * @import { Socket } from 'node:net'
 * @import { Servers, TrackedServer } from './servers.cjs'
 * @import { CountedServers } from './telemetry.cjs'
 */

const { apply, attempt, clearTimeout, guarded, memoryBytes, now, replace, setTimeout } = guard;
const goAway = guarded(announceEnd);

module.exports = { httpSockets, keepIdleFor, loadOf, closeAfterResponses, goAway };

/**
 * @typedef {ServerResponse & {
 *   shouldKeepAlive: boolean, _storeHeader?: Function, _header: string, _last: boolean, req: IncomingMessage}} Response
 * @typedef {Socket & {_httpMessage?: Response | null, parser?: any}} HttpSocket
 */

/**
 * From the list of the HTTP server (Node 20 to 26), if it is there.
 * @param {TrackedServer} server
 */
function httpSockets(server) {
  const sockets = [];
  for (const { socket } of internalOf(server, 'http.server.connections')?.all?.() ?? [])
    if (socket) sockets.push(socket);
  return sockets;
}

/**
 * Without the list (Node 20 to 26), a session with open streams is taken for an idle one.
 * @param {Http2Session} session
 */
function openStreams(session) {
  const streams = internalOf(session, 'state')?.streams;
  return streams instanceof Map ? [...streams.values()] : [];
}

/** @param {any} object of Node @param {string} name of the symbol under which it keeps something */
function internalOf(object, name) {
  for (const key of Object.getOwnPropertySymbols(object))
    if (key.description === name) return object[key];
}

/** A server that still has Node's default is one that the program has not set. */
const NODE_DEFAULT_MS = 5000;
/** The head of a request must be allowed to take longer than the pause before it. */
const HEADERS_MARGIN_MS = 1000;

/** Sets `keep_alive_timeout`. @param {Servers} servers @param {number} timeoutMs */
function keepIdleFor(servers, timeoutMs) {
  const keepIdle = guarded((/** @type {any} */ server) => {
    // What the program sets itself, also later, stays.
    if (server.keepAliveTimeout !== NODE_DEFAULT_MS) return;
    server.keepAliveTimeout = timeoutMs;
    const { headersTimeout } = server;
    if (headersTimeout > 0 && headersTimeout <= timeoutMs) {
      server.headersTimeout = timeoutMs + HEADERS_MARGIN_MS;
    }
  });
  servers.listening.forEach(keepIdle);
  servers.onListening.add(keepIdle);
}

/** It opens a file, and the program may have used up its descriptors. */
const bytesNow = guarded(memoryBytes);
/** When each was first found without an answer. @type {WeakMap<object, number>} */
const firstFoundMs = new WeakMap();

/**
 * Looked for with each heartbeat: nothing is added to a request. An answer that has begun may go on for hours: a stream of
 * events, a download.
 * @param {CountedServers} servers
 */
function loadOf(servers) {
  const bytes = bytesNow();
  const { requests: answered, errors } = servers.http;
  /** Not answered completely: responses of HTTP/1, streams of HTTP/2. @type {(Response | ServerHttp2Stream)[]} */
  const open = [];
  for (const server of servers.listening)
    for (const socket of httpSockets(server))
      if (socket._httpMessage && !isOfAgent(socket)) open.push(socket._httpMessage);
  for (const session of servers.http2Sessions) open.push(...openStreams(session));
  const atMs = now();
  let oldestMs = 0;
  for (const response of open) {
    if (response.headersSent) continue;
    const sinceMs = firstFoundMs.get(response) ?? atMs;
    firstFoundMs.set(response, sinceMs);
    // 0 would say that none waits.
    oldestMs = Math.max(oldestMs, 1, Math.round(atMs - sinceMs));
  }
  return { bytes, open: open.length, oldestMs, answered, errors };
}

/**
 * A drain makes every response the last of its connection (`Connection: close`), so that the next request goes to another
 * worker. Idle connections stay open: a request may be on its way, and a reset would lose it.
 */

/** @type {WeakMap<HttpSocket, Response>} */
const newest = new WeakMap();
/** In the head of a response, as Node (20 to 26) keeps it until it is sent. */
const KEEP_ALIVE = /\r\nconnection: *keep-alive *\r\n/i;

/** @param {Iterable<TrackedServer>} servers */
function closeAfterResponses(servers) {
  const onRequest = guarded((/** @type {unknown} */ message) => {
    const { response, socket } = /** @type {{response: Response, socket: HttpSocket}} */ (message);
    const earlier = newest.get(socket);
    // With pipelining, a response that says close discards those behind it: only the newest may.
    if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
    markLast(response, socket);
  });
  attempt(() => diagnostics.subscribe('http.server.request.start', onRequest));
  const mark = guarded(markCurrent);
  for (const server of servers) for (const socket of httpSockets(server)) mark(socket);
}

/** @param {HttpSocket} socket with a request that began before the drain */
function markCurrent(socket) {
  const response = socket._httpMessage;
  if (!response || newest.has(socket)) return;
  const isNewest = !socket.parser?.incoming || socket.parser.incoming === response.req;
  const mark = guarded(() => markCurrent(socket));
  if (!isNewest) response.once('finish', mark);
  else if (!response.headersSent) markLast(response, socket);
}

/** @param {Response} response @param {HttpSocket} socket */
function markLast(response, socket) {
  if (!newest.has(socket)) lingerOnClose(socket);
  newest.set(socket, response);
  response.shouldKeepAlive = false;
  const { _storeHeader: store } = response;
  if (typeof store !== 'function') return;
  // `Connection: keep-alive` set by the program would overrule shouldKeepAlive.
  const sayClose = guarded(() => {
    if (newest.get(socket) !== response || !KEEP_ALIVE.test(response._header)) return;
    response._header = response._header.replace(KEEP_ALIVE, '\r\nConnection: close\r\n');
    response._last = true;
  });
  /** @this {Response} @param {unknown[]} args */
  const value = function (...args) {
    apply(store, this, args);
    sayClose();
  };
  replace(response, '_storeHeader', value);
}

/** A client closes as soon as it sees our end; this limit is for one that does not. */
const MAX_LINGER_MS = 1000;

/**
 * Closes as RFC 9112, 9.6 recommends: our side first, while what still comes is read and discarded. A reset may keep the
 * client from reading the response.
 * @param {Socket} socket that Node's HTTP server closes after its last response
 */
function lingerOnClose(socket) {
  const { destroySoon } = socket;
  const linger = guarded(() => {
    if (socket.destroyed || socket.writableEnded) return true;
    const timer = setTimeout(() => socket.destroy(), MAX_LINGER_MS);
    const clear = guarded(() => clearTimeout(timer));
    socket.once('close', clear);
    // Including the HTTP parser: no further request of this connection may be executed.
    socket.removeAllListeners('data');
    socket.on('data', () => {});
    socket.resume();
    socket.end();
    return true;
  });
  replace(socket, 'destroySoon', () => {
    if (!linger()) apply(destroySoon, socket, []);
  });
}

const PING_TIMEOUT_MS = 1000;
/** For the streams that a client opens together with its first one. */
const FIRST_STREAMS_MS = 100;
/** A client that opens a session has a request, but it may be slow. */
const NO_STREAM_MS = 5000;
/** A client that has been answered may send its next request at any moment, or none. */
const IDLE_MS = 500;
const NO_ERROR = 0;
const LAST_STREAM = 2 ** 31 - 1;

/**
 * nghttp2 ignores a stream that arrives after its GOAWAY, so the best moment is when a request has just arrived. A client
 * that has just connected may first send all requests for which it did.
 * @param {Http2Session} session
 */
function announceEnd(session) {
  if (session.destroyed || openStreams(session).length > 0) return closeInTwoSteps(session);
  const close = guarded(() => closeInTwoSteps(session));
  const isNew = session.state.lastProcStreamID === 0;
  const timer = setTimeout(close, isNew ? NO_STREAM_MS : IDLE_MS);
  const clear = guarded(() => clearTimeout(timer));
  const onStream = guarded(() => {
    clear();
    if (isNew) setTimeout(close, FIRST_STREAMS_MS);
    else close();
  });
  session.once('stream', onStream).once('close', clear);
}

/**
 * As RFC 9113, 6.8: a GOAWAY that names no stream, a PING that confirms that it arrived, and only then the close, which
 * would refuse a stream that the client opens at that moment.
 * @param {Http2Session} session
 */
function closeInTwoSteps(session) {
  if (session.closed || session.destroyed) return;
  const close = guarded(() => {
    clearTimeout(timer);
    if (!session.closed && !session.destroyed) session.close();
  });
  const timer = setTimeout(close, PING_TIMEOUT_MS);
  try {
    session.goaway(NO_ERROR, LAST_STREAM);
    if (!session.ping(close)) close();
  } catch {
    close();
  }
}
