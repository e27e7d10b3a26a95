/**
 * Whether the first workers of a new version, the canaries, may be followed by the others. They serve
 * beside the old workers for a while, and only what both answer in the same time is compared: if the
 * database is down, all of them fail, and the new version is not at fault.
 *
 * Everything is one question: is a share (of errors, of slow requests, of requests without an answer)
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
/** With fewer of the old workers, nothing is known about how slow a request may be. */
const MIN_TIMED_BEFORE = 20;
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
 * @typedef {object} Answers
 * @property {number} begun requests, answered or not; as many as `requests` if that is not counted
 * @property {number} requests that were answered
 * @property {number} errors 5xx among them
 * @property {readonly number[]} latency one count for each of LATENCY_BOUNDS_MS, and a last one
 *
 * @typedef {object} Facts
 * @property {number} judgedMs time since all canaries serve
 * @property {Answers} canary what the canaries answered
 * @property {Answers} old what the old workers answered meanwhile
 * @property {number} oldWorkers how many they are
 * @property {{canary: number, old: number}} waitMs how long the oldest request has had no answer: of the canaries now, of
 *   the old workers at any time
 * @property {string | null} trouble what is wrong with a canary now and not with every old worker, in
 *   words that follow 'it'
 *
 * @typedef {{verdict: 'wait'} | {verdict: 'passed', note: string | null}
 *   | {verdict: 'failed', reason: string}} CanaryVerdict `note`: what could not be judged
 */

/**
 * @param {CanaryOrder} rule
 * @returns {number} after how many milliseconds latencies count
 */
export function warmUpMs({ forMs }) {
  return Math.min(WARM_UP_MS, forMs / 4);
}

/** @param {Facts} facts @param {CanaryOrder} rule @returns {CanaryVerdict} */
export function judgeCanary(facts, rule) {
  const isOver = facts.judgedMs >= rule.forMs;
  const reason =
    facts.trouble ??
    errorsReason(facts, rule, isOver) ??
    slownessReason(facts, rule, isOver) ??
    silenceReason(facts) ??
    (isOver ? (waitReason(facts) ?? scarcityReason(facts, rule)) : null);
  if (reason !== null) return { verdict: 'failed', reason };
  return isOver ? { verdict: 'passed', note: noteOn(facts) } : { verdict: 'wait' };
}

/** @param {Facts} facts @param {CanaryOrder} rule @param {boolean} isOver */
function errorsReason({ canary, old }, { max5xx }, isOver) {
  const allowed = shareOf(old.errors, old.requests) + max5xx;
  if (!isExceeded(canary.errors, canary.requests, allowed, isOver)) return null;
  const before = describeShare(old.errors, old.requests);
  return (
    `answered ${describeShare(canary.errors, canary.requests)} of ${canary.requests} requests with ` +
    `5xx, the old workers ${before}; ${describeShare(max5xx, 1)} more is allowed`
  );
}

/** @param {Facts} facts @param {CanaryOrder} rule @param {boolean} isOver */
function slownessReason({ canary, old, judgedMs }, rule, isOver) {
  if (judgedMs < warmUpMs(rule)) return null;
  const [own, before] = [figuresOf(canary), figuresOf(old)];
  const [timed, timedBefore] = [sum(canary.latency), sum(old.latency)];
  if (before.p99Ms === undefined || timedBefore < MIN_TIMED_BEFORE) return null;
  const limitMs = Math.max(before.p99Ms * rule.maxP99, before.p99Ms + NOTICEABLE_MS);
  const slow = sum(
    canary.latency.filter((_, index) => (LATENCY_BOUNDS_MS[index - 1] ?? 0) >= limitMs),
  );
  const seconds = Math.max(1, (judgedMs - warmUpMs(rule)) / 1000);
  const sample = Math.min(1, (TIMED_PER_SECOND * rule.instances * seconds) / Math.max(1, timed));
  const isComparable = isOver && timed >= MIN_TIMED && timedBefore >= MIN_TIMED;
  if (!isExceeded(slow * sample, timed * sample, SLOWEST, isComparable)) return null;
  const times = `${rule.maxP99} times`;
  return (
    `took ${formatLatency(own.p99Ms)} for the slowest 1 % of its requests, the old workers ` +
    `${formatLatency(before.p99Ms)}; ${times} that is allowed`
  );
}

/** @param {Facts} facts */
function silenceReason({ canary, old }) {
  const allowed = shareOf(unanswered(old), old.begun) + MAX_UNANSWERED;
  const silent = unanswered(canary);
  // Also at the end: some requests are in flight then.
  if (!isExceeded(silent, canary.begun, allowed, false)) return null;
  return `left ${silent} of ${canary.begun} requests without an answer`;
}

/** One request is enough here: its share is small, and it may wait for ever. @param {Facts} facts */
function waitReason({ waitMs: { canary, old } }) {
  if (canary < Math.max(LONG_WAIT_MS, old * TIMES_OLD_WAIT)) return null;
  // The age of a request is known only at heartbeats.
  const before = formatLatency(Math.max(HEARTBEAT_INTERVAL_MS, old));
  return `has not answered a request for ${formatLatency(canary)}, the old workers for at most ${before}`;
}

/** @param {Facts} facts @param {CanaryOrder} rule */
function scarcityReason({ canary: { requests }, old, oldWorkers }, { minRequests, instances }) {
  if (minRequests !== undefined) {
    if (requests >= minRequests) return null;
    return `got only ${requests} of the ${minRequests} requests that it was to be judged by`;
  }
  const expected = (old.requests / Math.max(1, oldWorkers)) * instances;
  if (requests >= expected * MIN_PART) return null;
  const counts = `${requests}, the old workers ${old.requests}`;
  return `got too few requests to be judged by: ${counts} (--min-requests 0 lets it pass)`;
}

/** @param {Facts} facts */
function noteOn({ canary, old }) {
  if (canary.requests === 0) return 'no request reached it';
  const isComparable = sum(canary.latency) >= MIN_TIMED && sum(old.latency) >= MIN_TIMED;
  return isComparable ? null : 'too few requests to compare latencies';
}

/**
 * @param {number} count
 * @param {number} total
 * @param {number} allowed share
 * @param {boolean} isOver whether the share itself counts; otherwise it must be certain
 */
function isExceeded(count, total, allowed, isOver) {
  if (count < MIN_COUNT || count <= allowed * total) return false;
  return isOver || total * divergence(count / total, allowed) > CERTAIN;
}

/**
 * W. Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables", 1963, theorem 1: if
 * the true share is at most `allowed`, then as high a share as `found` in n requests has a chance of
 * at most exp(-n * this).
 * @param {number} found
 * @param {number} allowed less than `found`
 */
function divergence(found, allowed) {
  if (allowed === 0) return Infinity;
  const rest = found < 1 ? (1 - found) * Math.log((1 - found) / (1 - allowed)) : 0;
  return found * Math.log(found / allowed) + rest;
}

/** @param {Answers} answers */
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
