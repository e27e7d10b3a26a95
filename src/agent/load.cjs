'use strict';
/** Memory of the program, and its requests in progress, looked for with each heartbeat: nothing is added to a request. */
const { performance } = require('node:perf_hooks');
const { openResponses } = require('./http-sockets.cjs');

/** @import { CountedServers } from './http-counts.cjs' */

module.exports = { loadOf };

const now = performance.now.bind(performance);
/** When each was first found without an answer. @type {WeakMap<object, number>} */
const firstFoundMs = new WeakMap();

/**
 * An answer that has begun may go on for hours: a stream of events, a download.
 * @param {CountedServers} servers
 */
function loadOf(servers) {
  const bytes = process.memoryUsage.rss();
  const { requests: answered, errors } = servers.http;
  const atMs = now();
  let open = 0;
  let oldestMs = 0;
  for (const response of openResponses(servers)) {
    open += 1;
    if (response.headersSent) continue;
    const sinceMs = firstFoundMs.get(response) ?? atMs;
    firstFoundMs.set(response, sinceMs);
    oldestMs = Math.max(oldestMs, Math.round(atMs - sinceMs));
  }
  return { bytes, open, oldestMs, answered, errors };
}
