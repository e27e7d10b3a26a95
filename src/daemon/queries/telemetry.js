/** What the workers measure about themselves; requested from their primaries only on demand. */
import { RECENT_MS, Sampler } from './sampler.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../shared/latency.js';

/**
 * @import { Histogram, TelemetryReport, Vitals } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 */

/** Workers that were last seen longer ago are forgotten: no client polls less often. */
const MAX_AGE_MS = 300_000;
const SPAN_MS = 200;
/** How long a primary may take to reply. */
const REPLY_MS = 2000;
/** How long the workers keep measuring without another request. */
const LEASE_MS = 10_000;

/**
 * @typedef {object} Known of one worker
 * @property {number} seenAt monotonic ms; when the last report arrived
 * @property {TelemetryReport} report
 * @property {Vitals} vitals
 */

export class Telemetry {
  /** @type {Map<number, Known>} by pid */
  #known = new Map();
  /** @type {Sampler<App, void>} */
  #sampler = new Sampler((apps, leaseMs) => this.#request(apps, leaseMs), SPAN_MS);

  /**
   * @param {App[]} apps
   * @param {{leaseMs?: number, recentMs?: number}} [options] recentMs: reports that
   *   are older are not used for comparison
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
 * @returns {Vitals} of the time between them
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
    latencyMs: quantilesBetween(before.latency, after.latency),
  });
}

/**
 * Quantiles are estimates between two bounds, so they may exceed the measured maximum.
 * @param {TelemetryReport['delay']} before
 * @param {TelemetryReport['delay']} after
 */
function delayBetween(before, after) {
  const quantiles = quantilesBetween(before, after);
  if (quantiles === null) return null;
  const { p50, p99 } = quantiles;
  const isNew = after.counts.map((count, index) => count > before.counts[index]);
  // Each report resets the maximum but not the counts, so the maximum of a lost report is missing.
  const max = rounded(Math.max(after.maxMs, LATENCY_BOUNDS_MS[isNew.lastIndexOf(true) - 1] ?? 0));
  return { p50: Math.min(p50, max), p99: Math.min(p99, max), max };
}

/** @param {Histogram} before @param {Histogram} after */
function quantilesBetween(before, after) {
  const counts = after.counts.map((count, index) => count - before.counts[index]);
  const [p50, p99] = [0.5, 0.99].map((quantile) => latencyQuantile(counts, quantile));
  return p50 === null || p99 === null ? null : { p50: rounded(p50), p99: rounded(p99) };
}

/** @param {number} value with more digits than were measured */
function rounded(value) {
  return Math.round(value * 1000) / 1000;
}
