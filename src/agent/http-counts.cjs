'use strict';
/**
 * Counts what the program's HTTP servers answer: requests, errors (5xx), and how long each took
 * from its head to the end of its answer. Attached only while somebody asks; the counts stay.
 */
const diagnostics = require('node:diagnostics_channel');
const { performance } = require('node:perf_hooks');
const { Buckets } = require('./buckets.cjs');

const now = performance.now.bind(performance);
const BEGUN = 'http.server.request.start';
const ANSWERED = 'http.server.response.finish';

class HttpCounts {
  requests = 0;
  errors = 0;
  #servers;
  #isAttached = false;

  /**
   * @param {import('./servers.cjs').Servers} servers
   * @param {readonly number[]} boundsMs of the latency
   */
  constructor(servers, boundsMs) {
    this.#servers = servers;
    this.latency = new Buckets(boundsMs);
  }

  attach() {
    if (this.#isAttached) return;
    this.#isAttached = true;
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
    this.latency.add(ms);
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
