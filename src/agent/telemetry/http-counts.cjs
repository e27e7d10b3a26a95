'use strict';
/**
 * Counts what the program's HTTP servers answer: requests, errors (5xx), and how long it took from
 * the head of a request to the end of its answer. Attached only while somebody asks.
 *
 * Every request is counted. Reading the clock twice costs more than all the rest, so where there
 * are more than some hundred requests a second only some are timed, each standing for those that
 * were begun since the one before.
 */
const diagnostics = require('node:diagnostics_channel');
const { performance } = require('node:perf_hooks');
const { Buckets } = require('./buckets.cjs');

/**
 * @import { Http2Session, ServerHttp2Stream } from 'node:http2'
 * @import { Servers } from '../serve/servers.cjs'
 */

const now = performance.now.bind(performance);
const BEGUN = 'http.server.request.start';
const ANSWERED = 'http.server.response.finish';
/** Those that are timed shall lie about so far apart, in milliseconds. */
const LEAST_APART_MS = 2;
const MOST_APART_MS = 8;
const MAX_STEP = 64;

class HttpCounts {
  requests = 0;
  errors = 0;
  #servers;
  #isAttached = false;
  /** On an average one of so many is timed. */
  #step = 1;
  /** Begun since the one that was timed last. */
  #begun = 0;
  /** So many later the next is timed. */
  #next = 1;
  #lastTimedMs = 0;
  /** @type {WeakMap<object, {atMs: number, weight: number}>} by response */
  #timed = new WeakMap();
  /** Timed and not answered yet, or never: while it is none, nothing is looked up. */
  #unanswered = 0;

  /**
   * @param {Servers} servers
   * @param {readonly number[]} boundsMs of the latency
   */
  constructor(servers, boundsMs) {
    this.#servers = servers;
    this.latency = new Buckets(boundsMs);
  }

  attach() {
    if (this.#isAttached) return;
    this.#isAttached = true;
    diagnostics.subscribe(BEGUN, this.#onMessage);
    diagnostics.subscribe(ANSWERED, this.#onMessage);
    for (const session of this.#servers.http2Sessions) this.#watch(session);
    this.#servers.onSession.add(this.#watch);
  }

  detach() {
    this.#isAttached = false;
    diagnostics.unsubscribe(BEGUN, this.#onMessage);
    diagnostics.unsubscribe(ANSWERED, this.#onMessage);
    this.#servers.onSession.delete(this.#watch);
    for (const session of this.#servers.http2Sessions) session.off('stream', this.#onStream);
  }

  /** From now on each is timed again, until there are many. */
  timeAll() {
    this.#step = 1;
    this.#next = 1;
  }

  /**
   * One function for both channels, since a second one makes publishing slower (measured: decision 11).
   * What is thrown in a subscriber ends the program, and a library may publish anything.
   */
  #onMessage = (/** @type {any} */ { response }, /** @type {string | symbol} */ channel) => {
    if (channel === BEGUN) this.#begin(response);
    else this.#end(response);
  };

  /** @param {any} response */
  #begin(response) {
    this.#begun += 1;
    if (this.#begun < this.#next || !(response instanceof Object)) return;
    const atMs = now();
    this.#timed.set(response, { atMs, weight: this.#begun });
    this.#unanswered += 1;
    this.#begun = 0;
    this.#adapt(atMs - this.#lastTimedMs);
    this.#lastTimedMs = atMs;
  }

  /** @param {any} response */
  #end(response) {
    this.#count(response?.statusCode);
    if (this.#unanswered === 0) return;
    const timed = this.#timed.get(response);
    if (timed === undefined) return;
    this.#unanswered -= 1;
    this.latency.add(now() - timed.atMs, timed.weight);
  }

  #onStream = (/** @type {ServerHttp2Stream} */ stream) => {
    const begunMs = now();
    stream.once('close', () => {
      const status = stream.sentHeaders?.[':status'];
      if (status === undefined) return;
      this.#count(Number(status));
      this.latency.add(now() - begunMs);
    });
  };

  #watch = (/** @type {Http2Session} */ session) => {
    session.on('stream', this.#onStream);
  };

  /** @param {number} status */
  #count(status) {
    this.requests += 1;
    if (status >= 500) this.errors += 1;
  }

  /**
   * By chance, so that clients that ask for this and that in turn are not timed for one alone.
   * @param {number} apartMs
   */
  #adapt(apartMs) {
    if (apartMs < LEAST_APART_MS) this.#step = Math.min(this.#step * 2, MAX_STEP);
    else if (apartMs > MOST_APART_MS) this.#step = Math.max(this.#step >> 1, 1);
    this.#next = 1 + Math.floor(Math.random() * (2 * this.#step - 1));
  }
}

module.exports = { HttpCounts };
