'use strict';
/**
 * What the worker counts and measures. The responses of the program's HTTP servers always, the errors among them (5xx), and
 * their latency from the head of the request to the end of the response. Reading the clock twice costs more than all the
 * rest, so above a few hundred requests a second only a sample is timed: each represents those that began since the one
 * before. The load and delay of the event loop, the heap and connections only while the lease in a request of the primary lasts.
 */
const diagnostics = require('node:diagnostics_channel');
const { performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const { send, onMessage } = require('./channel.cjs');
const guard = require('./guard.cjs');
const { countConnections, isOfAgent } = require('./servers.cjs');

/**
 * @import { ServerHttp2Stream } from 'node:http2'
 * @import { Servers } from './servers.cjs'
 * @import { TelemetryReport } from '../protocol/shapes.js' with { 'resolution-mode': 'import' }
 *
 * @typedef {Servers & {http: HttpCounts}} CountedServers
 */

const { attempt, clearInterval, clearTimeout, guarded, now, setInterval, setTimeout } = guard;
const utilization = performance.eventLoopUtilization.bind(performance);

/** Between two timers of the loop. Costs an idle worker 0.2 % of a core; 20 ms would cost 0.7 %. */
const INTERVAL_MS = 100;
const STARTED = 'http.server.request.start';
const FINISHED = 'http.server.response.finish';
/** Bounds of the time between two timed requests. */
const MIN_INTERVAL_MS = 2;
const MAX_INTERVAL_MS = 8;
const MAX_STEP = 64;
/** The time that counts as now. */
const MINUTE_MS = 60_000;
/** Between two moments at which the minute can begin. */
const NOTE_EVERY_MS = 5000;

class HttpCounts {
  /** Requests, answered or not. */
  begun = 0;
  requests = 0;
  errors = 0;
  /** @type {Buckets | null} null: what the primary sent in advance has not been read so far */
  latency = null;
  /** Called before the program gets a request. @type {(() => void) | null} */
  onBegin = null;
  #lastMinute = new LastMinute();
  /** On average one of this many requests is timed. */
  #step = 1;
  /** Requests since the last timed one. */
  #started = 0;
  /** The value of #started at which the next one is timed. */
  #next = 1;
  #lastTimedMs = 0;
  /** @type {WeakMap<object, {atMs: number, weight: number}>} by response */
  #timed = new WeakMap();
  /** Timed requests without a response; without any, no lookup is needed. */
  #pending = 0;

  /** @param {Pick<Servers, 'onSession'>} servers */
  constructor(servers) {
    for (const name of [STARTED, FINISHED]) {
      attempt(() => diagnostics.subscribe(name, this.#onMessage));
    }
    servers.onSession.add((session) => session.on('stream', this.#onStream));
  }

  /** Latencies of requests that began within the last minute, by bound, and the longest. */
  lastMinute() {
    return this.#lastMinute.of(this.latency?.counts ?? [], now());
  }

  /** Times every request again, until there are many. */
  timeAll() {
    this.#step = 1;
    this.#next = 1;
  }

  /** One for both channels: two are slower (docs/decisions/metrics.md). A library may publish anything. */
  #onMessage = guarded((/** @type {any} */ message, /** @type {string | symbol} */ channel) => {
    if (isOfAgent(message.socket)) return;
    if (channel === STARTED) this.#start(message.response);
    else this.#finish(message.response);
  });

  /** @param {any} response */
  #start(response) {
    this.begun += 1;
    this.onBegin?.();
    if (this.latency === null) return;
    this.#started += 1;
    if (this.#started < this.#next || !(response instanceof Object)) return;
    const atMs = now();
    this.#lastMinute.note(this.latency.counts, atMs);
    this.#timed.set(response, { atMs, weight: this.#started });
    this.#pending += 1;
    this.#started = 0;
    const intervalMs = atMs - this.#lastTimedMs;
    if (intervalMs < MIN_INTERVAL_MS) this.#step = Math.min(this.#step * 2, MAX_STEP);
    else if (intervalMs > MAX_INTERVAL_MS) this.#step = Math.max(this.#step >> 1, 1);
    // At random, so that both of two that alternate are timed.
    this.#next = 1 + Math.floor(Math.random() * (2 * this.#step - 1));
    this.#lastTimedMs = atMs;
  }

  /** @param {any} response */
  #finish(response) {
    this.#count(response?.statusCode);
    if (this.#pending === 0) return;
    const timed = this.#timed.get(response);
    if (timed === undefined) return;
    this.#pending -= 1;
    this.#time(now() - timed.atMs, timed.weight);
  }

  /** @param {number} ms @param {number} [weight] */
  #time(ms, weight) {
    this.latency?.add(ms, weight);
    this.#lastMinute.add(ms);
  }

  #onStream = guarded((/** @type {ServerHttp2Stream} */ stream) => {
    const startedMs = now();
    this.begun += 1;
    this.onBegin?.();
    if (this.latency !== null) this.#lastMinute.note(this.latency.counts, startedMs);
    const finish = guarded(() => {
      const status = stream.sentHeaders?.[':status'];
      if (status === undefined) return;
      this.#count(Number(status));
      this.#time(now() - startedMs);
    });
    stream.once('close', finish);
  });

  /** @param {number} status */
  #count(status) {
    this.requests += 1;
    if (status >= 500) this.errors += 1;
  }
}

/** Counts durations by the first bound that they do not exceed. */
class Buckets {
  sumMs = 0;

  /** @param {readonly number[]} boundsMs ascending */
  constructor(boundsMs) {
    this.boundsMs = boundsMs;
    /** @type {number[]} one per bound, and a last one for everything above */
    this.counts = Array(boundsMs.length + 1).fill(0);
  }

  /** @param {number} ms @param {number} [weight] number of durations that this one represents */
  add(ms, weight = 1) {
    const at = this.boundsMs.findIndex((bound) => ms <= bound);
    this.counts[at === -1 ? this.boundsMs.length : at] += weight;
    this.sumMs += ms * weight;
  }
}

/** What counts that only grow have become more in the last minute. */
class LastMinute {
  /** The counts as they were, the oldest first; maxMs: the longest since then. @type {{atMs: number, counts: number[], maxMs: number}[]} */
  #earlier = [];

  /** Before a request is counted. @param {readonly number[]} counts @param {number} atMs */
  note(counts, atMs) {
    if (atMs - (this.#earlier.at(-1)?.atMs ?? -Infinity) < NOTE_EVERY_MS) return;
    const recent = this.#earlier.filter((each) => atMs - each.atMs <= MINUTE_MS);
    this.#earlier = [...recent, { atMs, counts: [...counts], maxMs: 0 }];
  }

  /** @param {number} ms that a request took */
  add(ms) {
    const last = this.#earlier.at(-1);
    if (last && ms > last.maxMs) last.maxMs = ms;
  }

  /** @param {readonly number[]} counts now @param {number} nowMs */
  of(counts, nowMs) {
    const recent = this.#earlier.filter(({ atMs }) => nowMs - atMs <= MINUTE_MS);
    const first = recent[0]?.counts ?? counts;
    return {
      counts: counts.map((count, index) => count - first[index]),
      maxMs: Math.max(0, ...recent.map(({ maxMs }) => maxMs)),
    };
  }
}

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

module.exports = { HttpCounts, Buckets, LastMinute, answerTelemetry };
