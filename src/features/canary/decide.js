/** Whether the canaries may be followed by the others, by what the old workers did in the same time (docs/decisions/reloads.md). */
import { latencyQuantile } from '../../shared/latency.js';
import { formatElapsed } from '../../shared/units.js';

/** @import { AnswerFigures, CanaryOrder } from './record.js' */

/** A new worker still compiles and fills its caches, so its first latencies do not count. */
const WARM_UP_MS = 10_000;
/** An early end is wrong at most once in ten thousand looks. */
const CERTAIN = Math.log(10_000);
const MIN_COUNT = 2;
/** With fewer timed requests, the 99th percentile is the slowest one. */
const MIN_TIMED = 100;
/** The part of the requests of as many old workers with which canaries can be judged. */
const MIN_PART = 0.1;
const NOTICEABLE_MS = 10;
/** The share of requests without an answer above that of the old workers: some are always in flight. */
const MAX_UNANSWERED = 0.5;

/**
 * @typedef {{workers: number, begun: number, requests: number, errors: number, latency: readonly number[]}} Side the canaries,
 *   or the old workers; begun: requests, answered or not; latency: one count for each of LATENCY_BOUNDS_MS, and a last one
 */

/** @param {CanaryOrder} rule @returns {number} after how many milliseconds latencies count */
export function warmUpMs({ forMs }) {
  return Math.min(WARM_UP_MS, forMs / 4);
}

/**
 * @param {{judgedMs: number, canary: Side, old: Side, trouble: string | null}} facts trouble: what is wrong with a canary
 *   now and not with every old worker, in words that follow 'it'
 * @param {CanaryOrder} rule
 * @returns {{verdict: 'wait' | 'passed' | 'failed', why: string | null}} why: it has failed; or what could not be judged
 */
export function judgeCanary({ judgedMs, canary, old, trouble }, { forMs, max5xx, maxP99 }) {
  const isOver = judgedMs >= forMs;
  const isTimed = [canary, old].every(
    ({ latency }) => latency.reduce((total, count) => total + count) >= MIN_TIMED,
  );
  const errors = {
    what: 'answered with 5xx',
    count: canary.errors,
    total: canary.requests,
    allowed: shareOf(old.errors, old.requests) + max5xx,
  };
  const silence = {
    what: 'gave no answer',
    count: unanswered(canary),
    total: canary.begun,
    allowed: shareOf(unanswered(old), old.begun) + MAX_UNANSWERED,
  };
  const why =
    trouble ??
    excessReason(errors, isOver) ??
    excessReason(silence, false) ??
    (isOver && isTimed ? slownessReason(canary, old, maxP99) : null) ??
    (isOver ? scarcityReason(canary, old) : null);
  if (why !== null) return { verdict: 'failed', why };
  if (!isOver) return { verdict: 'wait', why };
  return { verdict: 'passed', why: isTimed ? null : 'too few requests to compare latencies' };
}

/**
 * At the end the share itself counts; before, only what chance cannot explain: by W. Hoeffding's inequality (1963, theorem
 * 1), as high a share as was found in n requests has a chance of at most exp(-n * divergence) if `allowed` is the true one.
 * @param {{what: string, count: number, total: number, allowed: number}} share @param {boolean} isOver
 */
function excessReason({ what, count, total, allowed }, isOver) {
  if (count < MIN_COUNT || count <= allowed * total) return null;
  const found = count / total;
  const rest = found < 1 ? (1 - found) * Math.log((1 - found) / (1 - allowed)) : 0;
  const isCertain = total * (found * Math.log(found / allowed) + rest) > CERTAIN;
  if (!isOver && !isCertain) return null;
  return `${what}: ${percent(found)} of ${total} requests; by what the old workers did, ${percent(allowed)} is allowed`;
}

/** @param {Side} canary @param {Side} old @param {number} maxP99 */
function slownessReason(canary, old, maxP99) {
  const [p99Ms, oldMs] = [canary, old].map(({ latency }) => latencyQuantile(latency, 0.99) ?? 0);
  const limitMs = Math.max(oldMs * maxP99, oldMs + NOTICEABLE_MS);
  if (p99Ms <= limitMs) return null;
  return `was slow: p99 ${formatElapsed(p99Ms)}; by what the old workers did, ${formatElapsed(limitMs)} is allowed`;
}

/** @param {Side} canary @param {Side} old */
function scarcityReason(canary, old) {
  const expected = (old.requests / Math.max(1, old.workers)) * canary.workers;
  if (canary.requests >= expected * MIN_PART) return null;
  return `got too few requests to be judged by: ${canary.requests}, the old workers ${old.requests}`;
}

/** @param {Side} side */
function unanswered({ begun, requests }) {
  return Math.max(0, begun - requests);
}

/** @param {number} count @param {number} total */
function shareOf(count, total) {
  return total > 0 ? Math.min(1, count / total) : 0;
}

/** @param {Pick<Side, 'requests' | 'errors' | 'latency'>} side @returns {AnswerFigures} */
export function figuresOf({ requests, errors, latency }) {
  return { requests, errors, p99Ms: latencyQuantile(latency, 0.99) ?? undefined };
}

/** `312 requests, 0.3 % 5xx, p99 12ms (old workers: 930, 0 %, 11ms)` @param {Record<'canary' | 'old', AnswerFigures>} figures */
export function describeFigures({ canary, old }) {
  return (
    `${canary.requests} requests, ${describeShare(canary)} 5xx, p99 ${formatLatency(canary)} ` +
    `(old workers: ${old.requests}, ${describeShare(old)}, ${formatLatency(old)})`
  );
}

/** @param {AnswerFigures} figures @returns {string} of 5xx: `0 %`, `0.3 %`, `12 %` */
export function describeShare({ errors, requests }) {
  return percent(shareOf(errors, requests));
}

/** @param {number} share */
function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** @param {AnswerFigures} figures */
export function formatLatency({ p99Ms }) {
  return p99Ms === undefined ? 'unknown' : formatElapsed(p99Ms);
}
