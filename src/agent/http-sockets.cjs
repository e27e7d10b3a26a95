'use strict';
/** The connections of the program's HTTP servers, and how long idle ones stay open. */
const { isOfAgent } = require('./servers.cjs');
const { guarded, memoryBytes, now } = require('./guard.cjs');

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Http2Session, ServerHttp2Stream } from 'node:http2'
 * @import { Socket } from 'node:net'
 * @import { Servers, TrackedServer } from './servers.cjs'
 * @import { CountedServers } from './http-counts.cjs'
 */

module.exports = { httpSockets, openStreams, keepIdleFor, loadOf };

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
