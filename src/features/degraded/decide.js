/** Whether a worker that serves is degraded: pure. */

/**
 * @import { FailedReplacement } from './record.js'
 *
 * @typedef {object} Facts
 * @property {number} oldestMs age of the oldest request that has no answer yet; 0: none
 * @property {number} [unansweredMs] how long requests have waited while none was answered
 * @property {number} answered requests in the last minute
 * @property {number} errors of these, with 5xx
 * @property {number} [memoryGrowth] bytes a minute, if it only grows
 * @property {{open: number, limit: number}} [files] of its descriptors almost all are open
 * @property {FailedReplacement | null} [failedReplacement]
 *
 * @typedef {'waits' | 'errors' | 'files' | 'replacement' | 'memory'} Verdict
 *
 * @typedef {{atMs: number, bytes: number}} Sample
 */

/** Few requests of any program take as long; a proxy gives up after 30 to 60 s. */
const MAX_AGE_MS = 5000;
const MIN_ANSWERED = 10;
const MANY_ERRORS = 0.1;
/** Fewer are enough if all are wrong. */
const MIN_ERRORS = 3;
/** It has recovered below this share only, so that it does not do so again and again. */
const FEW_ERRORS = 0.05;

/** @param {Facts} facts @param {Verdict | null} [before] until now @returns {Verdict | null} what is wrong first of all */
export function judgeLoad(facts, before = null) {
  const { oldestMs, unansweredMs = 0, answered, errors, memoryGrowth, files } = facts;
  // Whatever cannot be opened may be why it answers with errors, or not at all.
  if (files) return 'files';
  if (Math.max(oldestMs, unansweredMs) >= MAX_AGE_MS) return 'waits';
  // Without an answer, nothing says that it has recovered.
  const isWrong =
    before === 'errors'
      ? answered === 0 || errors / answered >= FEW_ERRORS
      : areMany(errors, answered);
  if (isWrong) return 'errors';
  if (facts.failedReplacement) return 'replacement';
  return memoryGrowth === undefined ? null : 'memory';
}

/** @param {number} errors @param {number} answered */
function areMany(errors, answered) {
  if (errors === answered) return errors >= MIN_ERRORS;
  return answered >= MIN_ANSWERED && errors / answered >= MANY_ERRORS;
}

const MAX_UNANSWERED_MS = 30_000;
const MOST_ERRORS = 0.9;

/** @param {Verdict | null} verdict @param {Pick<Facts, 'unansweredMs' | 'answered' | 'errors'>} facts */
export function isFailing(verdict, { unansweredMs = 0, answered, errors }) {
  if (verdict === 'waits') return unansweredMs >= MAX_UNANSWERED_MS;
  const isBad = verdict === 'errors' || verdict === 'files';
  return isBad && answered > 0 && errors >= MOST_ERRORS * answered;
}

const MEBIBYTE = 1024 * 1024;
/**
 * For how long memory must have grown: by half, but a program that warms up, or whose memory goes up and down, by no less
 * than `minBytes`, and one that has a lot by no more than `manyBytes`.
 */
const FAST = { forMs: 60_000, minBytes: 128 * MEBIBYTE, manyBytes: Infinity };
const SLOW = { forMs: 180_000, minBytes: 16 * MEBIBYTE, manyBytes: 32 * MEBIBYTE };
const MIN_GROWTH = 0.5;
/** Of that time; it grows in each. */
const PARTS = 6;
/** A slow leak is looked for in all of that time. */
const LONGEST_MS = 1_800_000;
const STEP_MS = FAST.forMs / PARTS;
/** Of the mean growth of a part: one that has warmed up still grows, by next to nothing. */
const MIN_SHARE = 0.25;

/**
 * @param {readonly Sample[]} samples the oldest first
 * @param {boolean} [isKnown] it grew until now
 * @returns {number | undefined} bytes a minute
 */
export function growthOf(samples, isKnown = false) {
  const watchedMs = samples.length > 0 ? samples[samples.length - 1].atMs - samples[0].atMs : 0;
  const windows = [FAST, SLOW].filter(({ forMs }) => forMs <= watchedMs);
  const found = windows.map((window) => growthWithin(samples, window, isKnown));
  if (windows.includes(SLOW)) found.push(growthWithin(samples, { ...SLOW, forMs: watchedMs }));
  return found.find((growth) => growth !== undefined);
}

/** By the lowest values of each part. @param {readonly Sample[]} samples @param {typeof SLOW} window @param {boolean} [isKnown] */
function growthWithin(samples, { forMs, minBytes, manyBytes }, isKnown) {
  const startMs = samples[samples.length - 1].atMs - forMs;
  const lowest = Array.from({ length: PARTS }, (_, part) => {
    const fromMs = startMs + (part * forMs) / PARTS;
    const own = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= fromMs + forMs / PARTS);
    return Math.min(...own.map(({ bytes }) => bytes));
  });
  const [first] = lowest;
  const grown = lowest[PARTS - 1] - first;
  const leastStep = (MIN_SHARE * grown) / (PARTS - 1);
  const onlyGrows = lowest.every((each, part) => part === 0 || each - lowest[part - 1] > leastStep);
  const atLeast = Math.max(minBytes, Math.min(MIN_GROWTH * first, manyBytes));
  if (isKnown ? grown < atLeast / 4 : !onlyGrows || grown < atLeast) return undefined;
  return Math.round((grown * 60_000 * PARTS) / (forMs * (PARTS - 1)));
}

/** @param {readonly Sample[]} samples @param {Sample} next @returns {Sample[]} the lowest of each step that still counts */
export function withSample(samples, { atMs, bytes }) {
  const stepMs = atMs - (atMs % STEP_MS);
  const others = samples.filter((each) => each.atMs < stepMs && stepMs - each.atMs <= LONGEST_MS);
  const same = samples.find((each) => each.atMs === stepMs)?.bytes ?? bytes;
  return [...others, { atMs: stepMs, bytes: Math.min(same, bytes) }];
}
