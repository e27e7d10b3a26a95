'use strict';
/**
 * What only the worker itself can know: how busy and how late its event loop is, its heap, its
 * connections, and what its HTTP servers answer. Measured from the first time that the primary
 * asks, and no longer than the lease that each question brings: then all of it is off again.
 */
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
const timers = require('node:timers');
const v8 = require('node:v8');
const { send } = require('./channel.cjs');
const { HttpCounts } = require('./http-counts.cjs');
const { countConnections } = require('./servers.cjs');

/** Kept from before the program can put others in their place. */
const { setTimeout, clearTimeout } = timers;
const now = performance.now.bind(performance);
const utilization = performance.eventLoopUtilization.bind(performance);

/** How often the delay of the event loop is looked at. Finer costs the worker more wake-ups. */
const DELAY_EVERY_MS = 20;
/** Questions that waited for a busy event loop come all at once; they get one answer's figures. */
const LEAST_SPAN_MS = 50;
/** However long the primary would like it to last. */
const MAX_LEASE_MS = 300_000;

/**
 * @typedef {object} Report all counts are of this worker's life, as far as it was measured
 * @property {number} atMs of the worker's own monotonic clock
 * @property {number} activeMs how long its event loop was busy, since it began
 * @property {number} idleMs
 * @property {{p50: number, p99: number, max: number} | null} delayMs since the report before
 * @property {number} heapUsed bytes
 * @property {number} heapTotal bytes
 * @property {number} connections open now
 * @property {number} requests
 * @property {number} errors
 * @property {number} latencySumMs
 * @property {number[]} latency requests by the bound that they were not slower than
 */

class Telemetry {
  #servers;
  #http;
  /** @type {import('node:perf_hooks').IntervalHistogram | null} null: nothing is measured */
  #delays = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #untilMs = 0;
  /** @type {Report | null} */
  #last = null;

  /** @param {import('./servers.cjs').Servers} servers */
  constructor(servers) {
    this.#servers = servers;
    this.#http = new HttpCounts(servers);
  }

  /**
   * @param {object} order
   * @param {number} order.leaseMs how long to go on measuring when nobody asks again
   * @param {number[]} order.boundsMs of the latency histogram
   */
  answer({ leaseMs, boundsMs }) {
    this.#begin(boundsMs);
    this.#extend(Math.min(leaseMs, MAX_LEASE_MS));
    send('telemetry', { report: this.#report() });
  }

  /** @param {number[]} boundsMs */
  #begin(boundsMs) {
    if (this.#delays) return;
    this.#delays = monitorEventLoopDelay({ resolution: DELAY_EVERY_MS });
    this.#delays.enable();
    this.#http.attach(boundsMs);
  }

  /** @param {number} leaseMs */
  #extend(leaseMs) {
    const untilMs = now() + leaseMs;
    if (untilMs <= this.#untilMs) return;
    this.#untilMs = untilMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), leaseMs);
    this.#timer.unref();
  }

  #end() {
    this.#delays?.disable();
    this.#delays = null;
    this.#last = null;
    this.#untilMs = 0;
    this.#http.detach();
  }

  /** @returns {Report} */
  #report() {
    const atMs = now();
    if (this.#last && atMs - this.#last.atMs < LEAST_SPAN_MS) return this.#last;
    const { active: activeMs, idle: idleMs } = utilization();
    const { used_heap_size: heapUsed, total_heap_size: heapTotal } = v8.getHeapStatistics();
    const connections = [...this.#servers.listening].reduce(
      (sum, server) => sum + countConnections(server),
      0,
    );
    const { requests, errors, latencySumMs, latency } = this.#http;
    this.#last = {
      ...{ atMs, activeMs, idleMs, delayMs: this.#takeDelays(), heapUsed, heapTotal },
      ...{ connections, requests, errors, latencySumMs, latency },
    };
    return this.#last;
  }

  /** What is recorded is the time from one look to the next, so what is beyond that is the delay. */
  #takeDelays() {
    const delays = this.#delays;
    if (!delays || delays.count === 0) return null;
    const beyond = (/** @type {number} */ nanoseconds) =>
      Math.max(0, nanoseconds / 1e6 - DELAY_EVERY_MS);
    const [p50, p99] = [delays.percentile(50), delays.percentile(99)].map(beyond);
    const max = beyond(delays.max);
    delays.reset();
    return { p50, p99, max };
  }
}

module.exports = { Telemetry };
