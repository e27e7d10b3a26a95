'use strict';
/**
 * What only the worker itself can know: how busy and how late its event loop is, its heap, its
 * connections, and what its HTTP servers answer. Measured from the first time that the primary
 * asks, and no longer than the lease that each question brings: then all of it is off again.
 */
const { performance } = require('node:perf_hooks');
const timers = require('node:timers');
const v8 = require('node:v8');
const { send } = require('../channel.cjs');
const { HttpCounts } = require('./http-counts.cjs');
const { LoopDelay } = require('./loop-delay.cjs');
const { countConnections } = require('../serve/servers.cjs');

/** @import { Servers } from '../serve/servers.cjs' */

/** Kept from before the program can put others in their place. */
const { setTimeout, clearTimeout } = timers;
const now = performance.now.bind(performance);
const utilization = performance.eventLoopUtilization.bind(performance);

/** Questions that waited for a busy event loop come all at once; they get one answer's figures. */
const LEAST_SPAN_MS = 50;
/** However long the primary would like it to last. */
const MAX_LEASE_MS = 300_000;

/**
 * @typedef {{counts: number[], sumMs: number}} Counted by the bounds that the primary gave
 *
 * @typedef {object} Report all counts are of this worker's life, as far as it was measured
 * @property {number} atMs of the worker's own monotonic clock
 * @property {number} activeMs how long its event loop was busy, since it began
 * @property {number} idleMs
 * @property {Counted & {maxMs: number}} delay of the event loop; the longest since the last report
 * @property {number} heapUsed bytes
 * @property {number} heapTotal bytes
 * @property {number} connections open now
 * @property {number} requests
 * @property {number} errors
 * @property {Counted} latency
 */

class Telemetry {
  #servers;
  /** Made when somebody asks for the first time. @type {{http: HttpCounts, loop: LoopDelay} | null} */
  #counts = null;
  /** Runs while it measures. @type {NodeJS.Timeout | undefined} */
  #timer;
  #untilMs = 0;
  /** @type {Report | null} */
  #last = null;

  /** @param {Servers} servers */
  constructor(servers) {
    this.#servers = servers;
  }

  /**
   * @param {object} order
   * @param {number} order.leaseMs how long to go on measuring when nobody asks again
   * @param {number[]} order.boundsMs of what is counted; those of the first order stay
   */
  answer({ leaseMs, boundsMs }) {
    this.#counts ??= {
      http: new HttpCounts(this.#servers, boundsMs),
      loop: new LoopDelay(boundsMs),
    };
    this.#measure(this.#counts, Math.min(leaseMs, MAX_LEASE_MS));
    send('telemetry', { report: this.#report(this.#counts) });
  }

  /**
   * @param {{http: HttpCounts, loop: LoopDelay}} counts
   * @param {number} leaseMs
   */
  #measure({ http, loop }, leaseMs) {
    if (this.#timer === undefined) {
      http.attach();
      loop.start();
    }
    const untilMs = now() + leaseMs;
    if (untilMs <= this.#untilMs) return;
    this.#untilMs = untilMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      http.detach();
      loop.stop();
      this.#timer = undefined;
    }, leaseMs);
    this.#timer.unref();
  }

  /**
   * @param {{http: HttpCounts, loop: LoopDelay}} counts
   * @returns {Report}
   */
  #report({ http, loop }) {
    const atMs = now();
    if (this.#last && atMs - this.#last.atMs < LEAST_SPAN_MS) return this.#last;
    const { active: activeMs, idle: idleMs } = utilization();
    const { used_heap_size: heapUsed, total_heap_size: heapTotal } = v8.getHeapStatistics();
    const { requests, errors } = http;
    let connections = 0;
    for (const server of this.#servers.listening) connections += countConnections(server);
    this.#last = {
      ...{ atMs, activeMs, idleMs, heapUsed, heapTotal, connections, requests, errors },
      delay: { ...loop.delays.toReport(), maxMs: loop.takeMax() },
      latency: http.latency.toReport(),
    };
    http.timeAll();
    return this.#last;
  }
}

module.exports = { Telemetry };
