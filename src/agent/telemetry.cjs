'use strict';
/** The load and delay of the event loop, the heap and connections, measured while the lease in a request of the primary lasts. */
const { performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const { send, onMessage } = require('./channel.cjs');
const guard = require('./guard.cjs');
const { Buckets } = require('./http-counts.cjs');
const { countConnections } = require('./servers.cjs');

/**
 * @import { CountedServers } from './http-counts.cjs'
 * @import { TelemetryReport } from '../protocol/shapes.js' with { 'resolution-mode': 'import' }
 */

const { clearInterval, clearTimeout, now, setInterval, setTimeout } = guard;
const utilization = performance.eventLoopUtilization.bind(performance);

/** Between two timers of the loop. Costs an idle worker 0.2 % of a core; 20 ms would cost 0.7 %. */
const INTERVAL_MS = 100;

/** @param {CountedServers} servers */
function answerTelemetry(servers) {
  /** @type {LoopDelay | null} null until the first request */
  let loop = null;
  /** @type {NodeJS.Timeout | undefined} runs while it measures */
  let timer;
  let untilMs = 0;
  onMessage('telemetry', ({ leaseMs }) => {
    const latency = /** @type {Buckets} */ (servers.http.latency);
    loop ??= new LoopDelay(latency.boundsMs);
    // Without a lease, nothing is measured for how long the event loop has been busy and idle since it began.
    if (leaseMs > 0 && timer === undefined) loop.start();
    if (leaseMs > 0 && now() + leaseMs > untilMs) {
      untilMs = now() + leaseMs;
      clearTimeout(timer);
      timer = setTimeout(() => {
        loop?.stop();
        timer = undefined;
      }, leaseMs).unref();
    }
    send('telemetry', { report: reportOf(servers, loop, latency) });
  });
}

/** @param {CountedServers} servers @param {LoopDelay} loop @param {Buckets} latency @returns {TelemetryReport} */
function reportOf({ http, listening }, loop, { counts, sumMs }) {
  const { active, idle } = utilization();
  const heap = v8.getHeapStatistics();
  let connections = 0;
  for (const server of listening) connections += countConnections(server);
  http.timeAll();
  const { counts: lastMinute, maxMs: slowestMs } = http.lastMinute();
  return {
    atMs: now(),
    activeMs: active,
    idleMs: idle,
    delay: loop.take(),
    heapUsed: heap.used_heap_size,
    heapTotal: heap.total_heap_size,
    connections,
    begun: http.begun,
    requests: http.requests,
    errors: http.errors,
    latency: { counts, sumMs },
    lastMinute,
    slowestMs,
  };
}

/** How late a timer fires. The histogram of perf_hooks forgets the delay in progress with every reading. */
class LoopDelay extends Buckets {
  #maxMs = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  start() {
    let lastMs = now();
    this.#timer = setInterval(() => {
      const atMs = now();
      const delayMs = Math.max(0, atMs - lastMs - INTERVAL_MS);
      lastMs = atMs;
      this.add(delayMs);
      if (delayMs > this.#maxMs) this.#maxMs = delayMs;
    }, INTERVAL_MS).unref();
  }

  stop() {
    clearInterval(this.#timer);
  }

  /** maxMs: the longest since the last call. */
  take() {
    const { counts, sumMs } = this;
    const maxMs = this.#maxMs;
    this.#maxMs = 0;
    return { counts, sumMs, maxMs };
  }
}

module.exports = { answerTelemetry };
