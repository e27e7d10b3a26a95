/**
 * Whether the first workers of a new version, the canaries, may be followed by the others. They serve
 * beside the old workers for a while, and only what both answer in the same time is compared: if the
 * database is down, all of them fail, and the new version is not at fault.
 *
 * Every comparison is one test: is a share (of errors, of slow requests, of requests without an answer)
 * higher than allowed? During the time it ends the judgement only if chance cannot explain it, by
 * Hoeffding's bound (docs/decisions/reloads.md); at the end, the share itself counts.
 */
import { HEARTBEAT_INTERVAL_MS } from '../../lifecycle/hang-policy.js';
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../shared/latency.js';
import { formatElapsed } from '../../shared/units.js';

/** @import { AnswerFigures, CanaryOrder } from './record.js' */

/** A new worker still compiles and fills its caches, so its first latencies do not count. */
const WARM_UP_MS = 10_000;
/** An early end is wrong at most once in ten thousand looks. */
const CERTAIN = Math.log(10_000);
/** One error, or one slow request, may be chance in every version. */
const MIN_COUNT = 2;
/** With fewer timed requests, the 99th percentile is the slowest one. */
const MIN_TIMED = 100;
/** The part of the requests of as many old workers with which canaries can be judged. */
const MIN_PART = 0.1;
/** Slower by less than this is no reason, however fast the old workers are. */
const NOTICEABLE_MS = 10;
/** Under load the agent times a sample; it is at least so large for each worker. */
const TIMED_PER_SECOND = 125;
/** The share of requests without an answer above that of the old workers: some are always in flight. */
const MAX_UNANSWERED = 0.5;
const SLOWEST = 0.01;
/** Few requests of any program take as long. */
const LONG_WAIT_MS = 5000;
/** How much longer a request of a canary may wait at the end than any of the old workers did: some wait by design. */
const TIMES_OLD_WAIT = 5;

/**
 * @typedef {object} Side the canaries, or the old workers
 * @property {number} workers that are online
 * @property {number} begun requests, answered or not; as many as `requests` if that is not counted
 * @property {number} requests that were answered
 * @property {number} errors 5xx among them
 * @property {readonly number[]} latency one count for each of LATENCY_BOUNDS_MS, and a last one
 * @property {number} waitMs how long a request has had no answer: of canaries now, of old workers at any time
 *
 * @typedef {object} Facts
 * @property {number} judgedMs time since all canaries serve
 * @property {Side} canary
 * @property {Side} old
 * @property {string | null} trouble what is wrong with a canary now and not with every old worker, in
 *   words that follow 'it'
 *
 * @typedef {ReturnType<typeof comparisons>[number]} Comparison
 */

/** @param {CanaryOrder} rule @returns {number} after how many milliseconds latencies count */
export function warmUpMs({ forMs }) {
  return Math.min(WARM_UP_MS, forMs / 4);
}

/**
 * @param {Facts} facts
 * @param {CanaryOrder} rule
 * @returns {{verdict: 'wait' | 'passed' | 'failed', why: string | null}} why: it has failed; or what could not be judged
 */
export function judgeCanary(facts, rule) {
  const isOver = facts.judgedMs >= rule.forMs;
  const worse = comparisons(facts, rule).find((each) => isHigher(each, isOver));
  const atEnd = () => waitReason(facts) ?? scarcityReason(facts);
  const why = facts.trouble ?? (worse ? reasonOf(worse) : isOver ? atEnd() : null);
  if (why !== null) return { verdict: 'failed', why };
  if (!isOver) return { verdict: 'wait', why };
  const isTimed = [facts.canary, facts.old].every(({ latency }) => sum(latency) >= MIN_TIMED);
  return { verdict: 'passed', why: isTimed ? null : 'too few requests to compare latencies' };
}

/**
 * What is compared: `count` of `total` against the `allowed` share.
 * @param {Facts} facts
 * @param {CanaryOrder} rule
 */
function comparisons({ canary, old, judgedMs }, rule) {
  const p99Ms = figuresOf(old).p99Ms ?? 0;
  const limitMs = Math.max(p99Ms * rule.maxP99, p99Ms + NOTICEABLE_MS);
  const slow = canary.latency.filter((_, index) => (LATENCY_BOUNDS_MS[index - 1] ?? 0) >= limitMs);
  const timed = sum(canary.latency);
  const isComparable = judgedMs >= warmUpMs(rule) && sum(old.latency) >= MIN_TIMED;
  const seconds = Math.max(1, (judgedMs - warmUpMs(rule)) / 1000);
  const sample = Math.min(1, (TIMED_PER_SECOND * canary.workers * seconds) / Math.max(1, timed));
  return [
    {
      what: 'answered with 5xx',
      count: canary.errors,
      total: canary.requests,
      allowed: shareOf(old.errors, old.requests) + rule.max5xx,
      countsAtEnd: true,
    },
    {
      what: `took longer than ${formatElapsed(limitMs)}`,
      count: isComparable ? sum(slow) * sample : 0,
      total: timed * sample,
      allowed: SLOWEST,
      countsAtEnd: timed >= MIN_TIMED,
    },
    {
      what: 'gave no answer',
      count: unanswered(canary),
      total: canary.begun,
      allowed: shareOf(unanswered(old), old.begun) + MAX_UNANSWERED,
      // Some requests are in flight then.
      countsAtEnd: false,
    },
  ];
}

/**
 * W. Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables", 1963, theorem 1: if
 * the true share is at most `allowed`, then as high a share as was found in n requests has a chance of
 * at most exp(-n * divergence).
 * @param {Comparison} comparison
 * @param {boolean} isOver otherwise it must be certain
 */
function isHigher({ count, total, allowed, countsAtEnd }, isOver) {
  if (count < MIN_COUNT || count <= allowed * total) return false;
  if ((isOver && countsAtEnd) || allowed === 0) return true;
  const found = count / total;
  const rest = found < 1 ? (1 - found) * Math.log((1 - found) / (1 - allowed)) : 0;
  return total * (found * Math.log(found / allowed) + rest) > CERTAIN;
}

/** @param {Comparison} comparison */
function reasonOf({ what, count, total, allowed }) {
  const share = `${percent(count / total)} of ${Math.round(total)} requests`;
  return `${what}: ${share}; by what the old workers did, ${percent(allowed)} is allowed`;
}

/** One request is enough here: its share is small, and it may wait for ever. @param {Facts} facts */
function waitReason({ canary: { waitMs }, old }) {
  if (waitMs < Math.max(LONG_WAIT_MS, old.waitMs * TIMES_OLD_WAIT)) return null;
  // The age of a request is known only at heartbeats.
  const before = formatElapsed(Math.max(HEARTBEAT_INTERVAL_MS, old.waitMs));
  return `has not answered a request for ${formatElapsed(waitMs)}, the old workers for at most ${before}`;
}

/** @param {Facts} facts */
function scarcityReason({ canary, old }) {
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

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @param {Pick<Side, 'requests' | 'errors' | 'latency'>} side @returns {AnswerFigures} */
export function figuresOf({ requests, errors, latency }) {
  return { requests, errors, p99Ms: latencyQuantile(latency, 0.99) ?? undefined };
}

/**
 * @param {Record<'canary' | 'old', AnswerFigures>} figures
 * @returns {string} `312 requests, 0.3 % 5xx, p99 12ms (old workers: 930, 0 %, 11ms)`
 */
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
