'use strict';
/**
 * Counts what the program's HTTP servers answer: requests, errors (5xx), and how long each took
 * from its head to the end of its answer. Attached only while somebody asks; the counts stay.
 */
const diagnostics = require('node:diagnostics_channel');
const { performance } = require('node:perf_hooks');

const now = performance.now.bind(performance);
const BEGUN = 'http.server.request.start';
const ANSWERED = 'http.server.response.finish';

class HttpCounts {
  requests = 0;
  errors = 0;
  latencySumMs = 0;
  /** @type {number[]} answers by the first bound that they were not slower than; the rest last */
  latency = [];
  /** @type {readonly number[]} */
  #boundsMs = [];
  #servers;
  #isAttached = false;

  /** @param {import('./servers.cjs').Servers} servers */
  constructor(servers) {
    this.#servers = servers;
  }

  /** @param {readonly number[]} boundsMs of the latency, in ascending order; the first time's stay */
  attach(boundsMs) {
    if (this.#isAttached) return;
    this.#isAttached = true;
    if (this.latency.length === 0) {
      this.#boundsMs = boundsMs;
      this.latency = Array(boundsMs.length + 1).fill(0);
    }
    diagnostics.subscribe(BEGUN, this.#onBegun);
    diagnostics.subscribe(ANSWERED, this.#onAnswered);
    for (const session of this.#servers.http2Sessions) this.#watch(session);
    this.#servers.onSession = (session) => this.#watch(session);
  }

  detach() {
    this.#isAttached = false;
    diagnostics.unsubscribe(BEGUN, this.#onBegun);
    diagnostics.unsubscribe(ANSWERED, this.#onAnswered);
    this.#servers.onSession = null;
    for (const session of this.#servers.http2Sessions) session.off('stream', this.#onStream);
  }

  /** What is thrown here would end the program, and a library may publish anything. */
  #onBegun = (/** @type {any} */ { response }) => {
    try {
      if (Begun.at(response) === null) new Begun(response, now());
    } catch {
      // Nothing that an HTTP server of Node has made; it is not counted.
    }
  };

  #onAnswered = (/** @type {any} */ { response }) => {
    const begunMs = Begun.at(response);
    if (begunMs !== null) this.#count(response.statusCode, now() - begunMs);
  };

  #onStream = (/** @type {import('node:http2').ServerHttp2Stream} */ stream) => {
    const begunMs = now();
    stream.once('close', () => {
      const status = stream.sentHeaders?.[':status'];
      if (status !== undefined) this.#count(Number(status), now() - begunMs);
    });
  };

  /** @param {import('node:http2').Http2Session} session */
  #watch(session) {
    session.on('stream', this.#onStream);
  }

  /**
   * @param {number} status
   * @param {number} ms
   */
  #count(status, ms) {
    this.requests += 1;
    if (status >= 500) this.errors += 1;
    this.latencySumMs += ms;
    this.latency[this.#bucketOf(ms)] += 1;
  }

  /** @param {number} ms */
  #bucketOf(ms) {
    const bounds = this.#boundsMs;
    let low = 0;
    let high = bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ms <= bounds[middle]) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

module.exports = { HttpCounts };

/** @param {object} object */
function Itself(object) {
  return object;
}

/**
 * When a response was begun, kept on the response in a private field: the program cannot see it,
 * and it costs a tenth of what a WeakMap does.
 */
class Begun extends /** @type {any} */ (Itself) {
  #atMs;

  /**
   * @param {object} response
   * @param {number} atMs
   */
  constructor(response, atMs) {
    super(response);
    this.#atMs = atMs;
  }

  /**
   * @param {unknown} response
   * @returns {number | null}
   */
  static at(response) {
    return typeof response === 'object' && response !== null && #atMs in response
      ? response.#atMs
      : null;
  }
}
