'use strict';
/** How long the program's HTTP servers keep idle connections open (`keep_alive_timeout`). */

/** @import { Servers, TrackedServer } from './servers.cjs' */

/** A server that still has Node's default is one that the program has not set. */
const NODE_DEFAULT_MS = 5000;
/** The head of a request must be allowed to take longer than the pause before it. */
const HEADERS_MARGIN_MS = 1000;

module.exports = { newKeepAlive };

/**
 * @param {Servers} servers
 * @returns {(timeoutMs: number) => void} sets how long they wait for the next request
 */
function newKeepAlive(servers) {
  return (timeoutMs) => {
    const apply = (/** @type {TrackedServer} */ server) => setTimeoutOf(server, timeoutMs);
    servers.listening.forEach(apply);
    servers.onListening.add(apply);
  };
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
