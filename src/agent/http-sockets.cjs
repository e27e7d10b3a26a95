'use strict';

/** The connections of the program's HTTP servers, and how long idle ones stay open. */
const { onMessage } = require('./channel.cjs');

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Servers, TrackedServer } from './servers.cjs'
 */

module.exports = { httpSockets, answerKeepAlive };

/**
 * @typedef {ServerResponse & {
 *   shouldKeepAlive: boolean, _storeHeader?: (firstLine: string, headers: unknown) => void,
 *   req: IncomingMessage}} Response
 * @typedef {Socket & {_httpMessage?: Response | null, parser?: any}} HttpSocket
 */

/**
 * @param {TrackedServer} server
 * @returns {HttpSocket[]} from the list that the HTTP server has (Node 20 to 26); without it, none
 */
function httpSockets(server) {
  const key = Object.getOwnPropertySymbols(server).find(
    (symbol) => symbol.description === 'http.server.connections',
  );
  const parsers = (key && /** @type {any} */ (server)[key]?.all?.()) ?? [];
  return parsers.map((/** @type {any} */ parser) => parser.socket).filter(Boolean);
}

/** A server that still has Node's default is one that the program has not set. */
const NODE_DEFAULT_MS = 5000;
/** The head of a request must be allowed to take longer than the pause before it. */
const HEADERS_MARGIN_MS = 1000;

/**
 * The primary says how long the program's HTTP servers keep idle connections open (`keep_alive_timeout`).
 * @param {Servers} servers
 */
function answerKeepAlive(servers) {
  onMessage('keep-alive', ({ timeoutMs }) => {
    const apply = (/** @type {TrackedServer} */ server) => setTimeoutOf(server, timeoutMs);
    servers.listening.forEach(apply);
    servers.onListening.add(apply);
  });
}

/** What the program sets itself, also later, stays. @param {any} server @param {number} timeoutMs */
function setTimeoutOf(server, timeoutMs) {
  if (server.keepAliveTimeout !== NODE_DEFAULT_MS) return;
  server.keepAliveTimeout = timeoutMs;
  const { headersTimeout } = server;
  if (headersTimeout > 0 && headersTimeout <= timeoutMs) {
    server.headersTimeout = timeoutMs + HEADERS_MARGIN_MS;
  }
}
