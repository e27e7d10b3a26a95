'use strict';
/**
 * How long the program's HTTP servers keep idle connections open (`keep_alive_timeout`), and whether
 * a proxy holds those connections: it reuses one just when Node closes it, and answers 502.
 */
const diagnostics = require('node:diagnostics_channel');
/** The program may replace the globals. */
const { setImmediate } = require('node:timers');
const { send } = require('../channel.cjs');

/** @import { Servers, TrackedServer } from './servers.cjs' */

const STARTED = 'http.server.request.start';
/** A server that still has Node's default is one that the program has not set. */
const NODE_DEFAULT_MS = 5000;
/** The head of a request must be allowed to take longer than the pause before it. */
const HEADERS_MARGIN_MS = 1000;
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];
/** Requests that are looked at: subscribers cost something, so not all of them. */
const SAMPLE = 100;

module.exports = { newKeepAlive };

/**
 * @param {Servers} servers
 * @returns {(timeoutMs: number) => void} sets how long they wait for the next request
 */
function newKeepAlive(servers) {
  reportProxy();
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

function reportProxy() {
  let looked = 0;
  const look = (/** @type {any} */ message) => {
    looked += 1;
    const { headers = {} } = message?.request ?? {};
    const header = PROXY_HEADERS.find((name) => headers[name] !== undefined);
    const keepAliveMs = message?.server?.keepAliveTimeout;
    if (header !== undefined && looked <= SAMPLE) {
      looked = SAMPLE;
      send('proxied', { header, keepAliveMs });
    }
    // Not from within the channel that publishes.
    if (looked === SAMPLE) setImmediate(() => diagnostics.unsubscribe(STARTED, look));
  };
  diagnostics.subscribe(STARTED, look);
}
