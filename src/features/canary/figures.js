/** What canaries and old workers have answered, as figures and in words. */
import { latencyQuantile } from '../../shared/latency.js';
import { formatElapsed } from '../../shared/units.js';

/** @import { AnswerFigures } from './record.js' */

/**
 * @typedef {object} Answers
 * @property {number} begun requests, answered or not; as many as `requests` if that is not counted
 * @property {number} requests that were answered
 * @property {number} errors 5xx among them
 * @property {readonly number[]} latency one count for each of LATENCY_BOUNDS_MS, and a last one
 */

/** @param {Answers} answers @returns {AnswerFigures} */
export function figuresOf({ requests, errors, latency }) {
  return { requests, errors, p99Ms: latencyQuantile(latency, 0.99) ?? undefined };
}

/**
 * @param {Record<'canary' | 'old', AnswerFigures>} state
 * @returns {string} `312 requests, 0.3 % 5xx, p99 12ms (old workers: 930, 0 %, 11ms)`
 */
export function describeFigures({ canary, old }) {
  const own = [
    `${canary.requests} requests`,
    `${describeShare(canary.errors, canary.requests)} 5xx`,
    `p99 ${formatLatency(canary.p99Ms)}`,
  ];
  const before = [old.requests, describeShare(old.errors, old.requests), formatLatency(old.p99Ms)];
  return `${own.join(', ')} (old workers: ${before.join(', ')})`;
}

/**
 * @param {number} count
 * @param {number} total
 * @returns {string} `0 %`, `0.3 %`, `12 %`
 */
export function describeShare(count, total) {
  const percent = total > 0 ? (100 * count) / total : 0;
  return `${Number(percent.toPrecision(2))} %`;
}

/** @param {number} [ms] */
export function formatLatency(ms) {
  return ms === undefined ? 'unknown' : formatElapsed(ms);
}
