/**
 * Samples that are taken on demand: CPU and memory of processes, by pidusage, and what workers measure about
 * themselves. A fresh sample is shared; if the last one is too old, two are taken, since a rate needs two.
 */
import { closeSync } from 'node:fs';
import { attempt } from '../../errors/error.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../shared/latency.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { onDemand } from '../../shared/package/on-demand.js';

/**
 * @import { TelemetryReport, Vitals, Usage } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 */

const FRESH_MS = 400;
/** A rate since an older sample is not current. */
const RECENT_MS = 5000;
/** Longer than the polling interval of any client. */
const MAX_AGE_MS = 300_000;

/** @template K @template T */
class Sampler {
  /** @type {Map<K, {takenMs: number, leaseMs: number, sample: Promise<T>}>} */
  #samples = new Map();
  #take;
  #spanMs;

  /** @param {(keys: K[], leaseMs: number) => Promise<T>} take in one pass @param {number} spanMs between two samples */
  constructor(take, spanMs) {
    this.#take = take;
    this.#spanMs = spanMs;
  }

  /** The sample that each key is part of. @param {K[]} keys @param {{leaseMs?: number, recentMs?: number}} [options] */
  sample(keys, { leaseMs = 0, recentMs = RECENT_MS } = {}) {
    const nowMs = performance.now();
    for (const [key, { takenMs }] of this.#samples) {
      if (nowMs - takenMs >= MAX_AGE_MS) this.#samples.delete(key);
    }
    const isOlder = (/** @type {K} */ key, /** @type {number} */ ms) => {
      const last = this.#samples.get(key);
      return !last || nowMs - last.takenMs >= ms;
    };
    const hasLease = (/** @type {K} */ key) => (this.#samples.get(key)?.leaseMs ?? 0) >= leaseMs;
    const due = keys.filter((key) => isOlder(key, FRESH_MS) || !hasLease(key));
    if (due.length > 0) {
      const stale = due.filter((key) => isOlder(key, recentMs));
      const sample = this.#takeTwice(stale, due, leaseMs);
      for (const key of due) this.#samples.set(key, { takenMs: nowMs, leaseMs, sample });
    }
    return keys.flatMap((key) => this.#samples.get(key)?.sample ?? []);
  }

  /** @param {K[]} stale @param {K[]} due @param {number} leaseMs */
  async #takeTwice(stale, due, leaseMs) {
    if (stale.length > 0) {
      await this.#take(stale, leaseMs);
      await sleep(this.#spanMs);
    }
    return this.#take(due, leaseMs);
  }
}

const require = createRequire(import.meta.url);
/** The daemon listens earlier without it. */
const pidusage = onDemand(() => /** @type {typeof import('pidusage')} */ (require('pidusage')));
/** What it remembers of each process until the next look, with a descriptor of its file in /proc. */
const history = onDemand(() => require('pidusage/lib/history'));
const USAGE_SPAN_MS = 150;

/** @typedef {Record<number, Usage | undefined>} Usages by pid, without processes that have exited */

export class Metrics {
  /** @type {Sampler<number, Usages>} */
  #sampler;

  /** @param {(pids: number[]) => Promise<Usages>} [measure] the CPU load since its last call */
  constructor(measure = measureQuietly) {
    // Given a single pid, pidusage throws if that process has exited.
    this.#sampler = new Sampler((pids) => measure([...pids]).catch(() => ({})), USAGE_SPAN_MS);
  }

  /** @param {number[]} pids @returns {Promise<Map<number, Usage>>} without processes that have exited */
  async sample(pids) {
    const samples = await Promise.all(this.#sampler.sample(pids));
    return new Map(
      pids.flatMap((pid, index) => {
        const usage = samples[index][pid];
        if (!usage) return [];
        const { cpu, memory, ctime } = usage;
        return [[pid, { cpu: Math.round(cpu * 10) / 10, memory, ctime }]];
      }),
    );
  }
}

/** One after the other: two would share descriptors. @type {Promise<unknown>} */
let measured = Promise.resolve();

/** @param {number[]} pids @returns {Promise<Usages>} */
function measureQuietly(pids) {
  const turn = measured.then(() => measure(pids));
  measured = turn.catch(() => {});
  return turn;
}

/** @param {number[]} pids */
async function measure(pids) {
  // Without `getconf`, as in small images, it assumes 4 KiB and 100 Hz, and prints a stack trace.
  process.env.PIDUSAGE_SILENT = '1';
  try {
    return await pidusage()(pids);
  } finally {
    delete process.env.PIDUSAGE_SILENT;
    for (const known of pids.map((pid) => history().get(pid))) {
      // The next look opens the file again.
      if (known?.fd) attempt(() => closeSync(known.fd), undefined);
      delete known?.fd;
    }
  }
}

const SPAN_MS = 200;
const REPLY_MS = 2000;
const LEASE_MS = 10_000;

/** @typedef {{seenAt: number, report: TelemetryReport, vitals: Vitals}} Known seenAt: monotonic ms */

export class Telemetry {
  /** @type {Map<number, Known>} by pid */
  #known = new Map();
  /** @type {Sampler<App, void>} */
  #sampler = new Sampler((apps, leaseMs) => this.#request(apps, leaseMs), SPAN_MS);

  /**
   * @param {App[]} apps
   * @param {{leaseMs?: number, recentMs?: number}} [options] recentMs: older reports are not used for comparison
   * @returns {Promise<ReadonlyMap<number, Known>>} by pid
   */
  async sample(apps, { leaseMs = LEASE_MS, recentMs } = {}) {
    const nowMs = performance.now();
    for (const [pid, { seenAt }] of this.#known) {
      if (nowMs - seenAt >= MAX_AGE_MS) this.#known.delete(pid);
    }
    const connected = apps.filter(({ link }) => link.state === 'connected');
    await Promise.all(this.#sampler.sample(connected, { leaseMs, recentMs }));
    return this.#known;
  }

  /** @param {App[]} apps @param {number} leaseMs */
  async #request(apps, leaseMs) {
    const replies = apps.map(async ({ link }) => {
      const options = { timeoutMs: REPLY_MS };
      const { workers } = await link.request('telemetry', { leaseMs }, options);
      const own = new Set(link.snapshot?.slots.map(({ pid }) => pid));
      for (const { pid, report } of workers) if (own.has(pid)) this.#note(pid, report);
    });
    // A primary that is busy or has exited does not reply; nothing is known about its app.
    await Promise.allSettled(replies);
  }

  /** @param {number} pid @param {TelemetryReport} report */
  #note(pid, report) {
    const seenAt = performance.now();
    const known = this.#known.get(pid);
    if (known?.report.atMs === report.atMs) return;
    const vitals = known ? vitalsBetween(known.report, report) : vitalsBetween(report, report);
    this.#known.set(pid, { seenAt, report, vitals });
  }
}

/**
 * @param {Known | undefined} known
 * @returns {Vitals} the current ones; none of a worker that has no agent, is not running, or has not reported
 */
export function vitalsNow(known) {
  return known && performance.now() - known.seenAt < RECENT_MS ? known.vitals : {};
}

/**
 * @param {TelemetryReport} before
 * @param {TelemetryReport} after of the same worker
 * @returns {Vitals} of the time between them, but for latencies: few requests in a moment say nothing
 */
export function vitalsBetween(before, after) {
  const seconds = (after.atMs - before.atMs) / 1000;
  const activeMs = after.activeMs - before.activeMs;
  const loopMs = activeMs + after.idleMs - before.idleMs;
  const perSecond = (/** @type {'requests' | 'errors'} */ key) =>
    seconds > 0 ? rounded((after[key] - before[key]) / seconds) : null;
  return withoutNulls({
    elu: loopMs > 0 ? rounded(activeMs / loopMs) : null,
    eventLoopDelayMs: delayBetween(before.delay, after.delay),
    heapUsed: after.heapUsed,
    heapTotal: after.heapTotal,
    connections: after.connections,
    requestsPerSecond: perSecond('requests'),
    errorsPerSecond: perSecond('errors'),
    latencyMs: quantilesOf(after.lastMinute, after.slowestMs),
  });
}

/** @param {TelemetryReport['delay']} before @param {TelemetryReport['delay']} after */
function delayBetween(before, after) {
  const isNew = after.counts.map((count, index) => count > before.counts[index]);
  // Each report resets the maximum but not the counts, so the maximum of a lost report is missing.
  const max = rounded(Math.max(after.maxMs, LATENCY_BOUNDS_MS[isNew.lastIndexOf(true) - 1] ?? 0));
  const counts = after.counts.map((count, index) => count - before.counts[index]);
  const quantiles = quantilesOf(counts, max);
  return quantiles && { ...quantiles, max };
}

/** They are estimates between two bounds. @param {number[]} counts @param {number} maxMs the longest */
function quantilesOf(counts, maxMs) {
  const [p50, p99] = [0.5, 0.99].map((quantile) => latencyQuantile(counts, quantile));
  if (p50 === null || p99 === null) return null;
  return { p50: rounded(Math.min(p50, maxMs)), p99: rounded(Math.min(p99, maxMs)) };
}

/** @param {number} value with more digits than were measured */
function rounded(value) {
  return Math.round(value * 1000) / 1000;
}
