/** Which of the workers that are due is replaced next: one at a time, and never below one that serves. */
import { doublingDelay } from './delays.js';

/** Between two replacements of a slot, twice as long each time while they follow each other quickly. */
const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 60_000;
/** While they fail. */
const MAX_FAILED_DELAY_MS = 300_000;
/** Older replacements do not count. */
const RECENT_MS = 600_000;

/**
 * @typedef {object} ReplacementView of a slot that should have a worker
 * @property {number} slot
 * @property {boolean} isServing
 * @property {boolean} emptiesFirst its worker must have exited before the next one starts
 * @property {boolean} isChanging a second worker of it starts or stops
 * @property {number | null} dueMs monotonic, since when its worker must be replaced; null: it is not
 * @property {number} notBeforeMs monotonic
 */

/**
 * @param {{slots: readonly ReplacementView[], nowMs: number}} state
 * @returns {{slot: number} | {waitMs: number | null}} waitMs: ask again by then; null: after a change
 */
export function nextReplacement({ slots, nowMs }) {
  if (slots.some(({ isChanging }) => isChanging)) return { waitMs: null };
  const due = slots.filter(({ dueMs, isServing }) => dueMs !== null && isServing);
  const waiting = due.filter(({ notBeforeMs }) => notBeforeMs > nowMs);
  const [first] = due
    .filter((one) => !waiting.includes(one) && isSpared(one, slots))
    .sort((one, other) => (one.dueMs ?? 0) - (other.dueMs ?? 0));
  if (first) return { slot: first.slot };
  if (waiting.length === 0) return { waitMs: null };
  return { waitMs: Math.min(...waiting.map(({ notBeforeMs }) => notBeforeMs)) - nowMs };
}

/** Those that still count. @param {readonly number[]} endedMs of a slot @param {number} nowMs */
export function recentReplacements(endedMs, nowMs) {
  return endedMs.filter((at) => nowMs - at < RECENT_MS);
}

/**
 * From when on a worker may be replaced again: one that is always due, or cannot be replaced, would be all the time.
 * @param {readonly number[]} recent replacements of a slot, monotonic
 * @param {number} failures of the last ones in a row
 */
export function nextReplacementMs(recent, failures) {
  const last = recent.at(-1);
  if (last === undefined) return 0;
  const [count, maxMs] =
    failures > 0 ? [failures, MAX_FAILED_DELAY_MS] : [recent.length, MAX_DELAY_MS];
  return last + doublingDelay(count - 1, FIRST_DELAY_MS, maxMs);
}

/** Where the old worker stops first, another must serve. @param {ReplacementView} one @param {readonly ReplacementView[]} slots */
function isSpared(one, slots) {
  const others = slots.filter((other) => other !== one);
  return !one.emptiesFirst || others.length === 0 || others.some(({ isServing }) => isServing);
}
