'use strict';
/**
 * Tells the primary that the event loop turns, and what the program does: rarely while it does nothing, since each beat
 * wakes up both processes.
 */
const { performance } = require('node:perf_hooks');
const { atNextMoment, send } = require('./channel.cjs');
const { clearTimeout, guarded } = require('./guard.cjs');
const { loadOf } = require('./http-sockets.cjs');

/**
 * @import { CountedServers } from './telemetry.cjs'
 *
 * @typedef {{everyMs: number, quietMs: number}} Pace quietMs: while the program does nothing
 */

/** Share of the time in which the event loop of a program that does nothing may be busy, as with timers of its libraries. */
const QUIET_LOAD = 0.02;
const utilization = performance.eventLoopUtilization.bind(performance);

class Heartbeat {
  #http;
  #connectionsNow;
  #loadNow;
  #factsNow;
  #before = utilization();
  #begunBefore = 0;
  #isQuiet = false;
  /** @type {Pace} */
  #pace = { everyMs: 0, quietMs: 0 };
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {CountedServers} servers
   * @param {() => Record<string, number> | undefined} connections of each address at which their number has changed
   * @param {() => Record<string, unknown> | undefined} facts of the features
   */
  constructor(servers, connections, facts) {
    this.#http = servers.http;
    this.#connectionsNow = guarded(connections);
    this.#loadNow = guarded(() => loadOf(servers));
    this.#factsNow = guarded(facts);
  }

  /** Also at another pace. @param {Pace} pace */
  start(pace) {
    clearTimeout(this.#timer);
    this.#pace = pace;
    this.#timer = atNextMoment(pace.everyMs, this.#beat);
  }

  /** From now on it is not waited for long: the worker ends. */
  endQuiet() {
    this.#pace = { ...this.#pace, quietMs: this.#pace.everyMs };
    if (this.#isQuiet) this.#wake();
  }

  /** What begins now may block the event loop, and silence counts from now on. */
  #wake = guarded(() => {
    clearTimeout(this.#timer);
    this.#beat();
  });

  #beat = () => {
    const wasIdle = this.#wasIdle();
    const connections = this.#connectionsNow();
    const load = this.#loadNow();
    this.#isQuiet = wasIdle === true && connections === undefined && load?.open === 0;
    const nextMs = this.#isQuiet ? this.#pace.quietMs : this.#pace.everyMs;
    this.#timer = atNextMoment(nextMs, this.#beat);
    this.#http.onBegin = this.#isQuiet ? this.#wake : null;
    send('beat', { nextMs, connections, load, ...this.#factsNow() });
  };

  /** Since it was asked last. */
  #wasIdle = guarded(() => {
    const { begun } = this.#http;
    const now = utilization();
    const { utilization: share } = utilization(now, this.#before);
    const hasBegun = begun !== this.#begunBefore;
    this.#before = now;
    this.#begunBefore = begun;
    return !hasBegun && share < QUIET_LOAD;
  });
}

module.exports = { Heartbeat };
