/** The vitals of a worker, from two reports of its agent. */
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../lifecycle/latency.js';

/** @import { Histogram, TelemetryReport, Vitals } from '../../protocol/shapes.js' */

/** For a worker that has no agent, is not running, or has not reported. @type {Readonly<Vitals>} */
export const NO_VITALS = Object.freeze({
  elu: null,
  eventLoopDelayMs: null,
  heapUsed: null,
  heapTotal: null,
  connections: null,
  requestsPerSecond: null,
  errorsPerSecond: null,
  latencyMs: null,
});

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
  return {
    elu: loopMs > 0 ? rounded(activeMs / loopMs) : null,
    eventLoopDelayMs: delayBetween(before.delay, after.delay),
    heapUsed: after.heapUsed,
    heapTotal: after.heapTotal,
    connections: after.connections,
    requestsPerSecond: perSecond('requests'),
    errorsPerSecond: perSecond('errors'),
    latencyMs: quantilesBetween(before.latency, after.latency),
  };
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
