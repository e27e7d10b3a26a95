/** Whether the canaries may be followed by the others, by what the old workers did in the same time (docs/decisions/reloads.md). */
import { latencyQuantile } from '../../shared/latency.js';

/** @import { Fact } from '../../protocol/shapes.js' */
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
 * @param {{judgedMs: number, canary: Side, old: Side, trouble: Fact | null}} facts trouble: what is wrong with a canary
 *   now and not with every old worker
 * @param {CanaryOrder} rule
 * @returns {{verdict: 'wait'} | {verdict: 'passed', isTimed: boolean} | {verdict: 'failed', why: Fact}} isTimed: the
 *   latencies could be compared
 */
export function judgeCanary({ judgedMs, canary, old, trouble }, { forMs, max5xx, maxP99 }) {
  const isOver = judgedMs >= forMs;
  const isTimed = [canary, old].every(
    ({ latency }) => latency.reduce((total, count) => total + count) >= MIN_TIMED,
  );
  const errors = {
    is5xx: true,
    count: canary.errors,
    total: canary.requests,
    allowed: shareOf(old.errors, old.requests) + max5xx,
  };
  const silence = {
    is5xx: false,
    count: unanswered(canary),
    total: canary.begun,
    allowed: shareOf(unanswered(old), old.begun) + MAX_UNANSWERED,
  };
  const why =
    trouble ??
    excess(errors, isOver) ??
    excess(silence, false) ??
    (isOver && isTimed ? slowness(canary, old, maxP99) : null) ??
    (isOver ? scarcity(canary, old) : null);
  if (why !== null) return { verdict: 'failed', why };
  return isOver ? { verdict: 'passed', isTimed } : { verdict: 'wait' };
}

/**
 * At the end the share itself counts; before, only what chance cannot explain: by W. Hoeffding's inequality (1963, theorem
 * 1), as high a share as was found in n requests has a chance of at most exp(-n * divergence) if `allowed` is the true one.
 * @param {{is5xx: boolean, count: number, total: number, allowed: number}} share @param {boolean} isOver
 * @returns {Fact | null}
 */
function excess({ is5xx, count, total, allowed }, isOver) {
  if (count < MIN_COUNT || count <= allowed * total) return null;
  const found = count / total;
  const rest = found < 1 ? (1 - found) * Math.log((1 - found) / (1 - allowed)) : 0;
  const isCertain = total * (found * Math.log(found / allowed) + rest) > CERTAIN;
  return isOver || isCertain ? { kind: 'share', is5xx, found, total, allowed } : null;
}

/** @param {Side} canary @param {Side} old @param {number} maxP99 @returns {Fact | null} */
function slowness(canary, old, maxP99) {
  const [p99Ms, oldMs] = [canary, old].map(({ latency }) => latencyQuantile(latency, 0.99) ?? 0);
  const allowedMs = Math.max(oldMs * maxP99, oldMs + NOTICEABLE_MS);
  return p99Ms > allowedMs ? { kind: 'slow', p99Ms, allowedMs } : null;
}

/** @param {Side} canary @param {Side} old @returns {Fact | null} */
function scarcity({ workers, requests }, old) {
  const expected = (old.requests / Math.max(1, old.workers)) * workers;
  return requests < expected * MIN_PART ? { kind: 'few', requests, old: old.requests } : null;
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
