/**
 * Which worker is replaced next without a command, among those that are due: too old, too large, after too
 * many requests, or unhealthy. One at a time, and never below one that serves.
 */
import { doublingDelay } from './delays.js';

/** A replacement that fails is tried again after this time, which doubles up to the limit. */
const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 300_000;
/** While replacements of a slot follow each other quickly, each one waits twice as long as the one before, up to a minute. */
const MAX_GAP_MS = 60_000;
/** Older replacements do not count. */
const RECENT_MS = 600_000;

/**
 * @typedef {object} ReplacementView of a slot that should have a worker
 * @property {number} slot
 * @property {boolean} isServing its worker is online
 * @property {boolean} isChanging a second worker of it starts or stops
 * @property {number | null} dueMs monotonic, since when its worker must be replaced; null: it is not
 * @property {number} notBeforeMs monotonic, after a replacement that failed
 */

/**
 * @param {object} state
 * @param {'cluster' | 'fork'} state.mode
 * @param {readonly ReplacementView[]} state.slots
 * @param {number} state.nowMs monotonic
 * @returns {{slot: number} | {waitMs: number | null}} waitMs: ask again by then; null: after a change
 */
export function nextReplacement({ mode, slots, nowMs }) {
  if (slots.some(({ isChanging }) => isChanging)) return { waitMs: null };
  const due = slots.filter(({ dueMs, isServing }) => dueMs !== null && isServing);
  const waiting = due.filter(({ notBeforeMs }) => notBeforeMs > nowMs);
  const [first] = due
    .filter((one) => !waiting.includes(one) && isSpared(one, mode, slots))
    .sort((one, other) => (one.dueMs ?? 0) - (other.dueMs ?? 0));
  if (first) return { slot: first.slot };
  if (waiting.length === 0) return { waitMs: null };
  return { waitMs: Math.min(...waiting.map(({ notBeforeMs }) => notBeforeMs)) - nowMs };
}

/**
 * @param {number} failures of replacements in a row, at least 1
 * @returns {number} ms until the next attempt
 */
export function replacementDelay(failures) {
  return doublingDelay(failures - 1, FIRST_DELAY_MS, MAX_DELAY_MS);
}

/**
 * @param {readonly number[]} replacedMs
 * @param {number} nowMs
 * @returns {number[]} those that still count
 */
export function recentReplacements(replacedMs, nowMs) {
  return replacedMs.filter((at) => nowMs - at < RECENT_MS);
}

/**
 * A worker that is always due would be replaced forever.
 * @param {number[]} recent replacements of a slot, on the monotonic clock
 * @param {number} nowMs
 * @returns {boolean} whether its worker may be replaced again
 */
export function mayReplace(recent, nowMs) {
  const last = recent.at(-1);
  if (last === undefined) return true;
  return nowMs >= last + doublingDelay(recent.length - 1, FIRST_DELAY_MS, MAX_GAP_MS);
}

/**
 * In cluster mode the new worker serves before the old one stops. In fork mode the old one stops first,
 * so another one must serve meanwhile, if there is another.
 * @param {ReplacementView} one
 * @param {'cluster' | 'fork'} mode
 * @param {readonly ReplacementView[]} slots
 */
function isSpared(one, mode, slots) {
  if (mode === 'cluster' || slots.length === 1) return true;
  return slots.some((other) => other !== one && other.isServing);
}
