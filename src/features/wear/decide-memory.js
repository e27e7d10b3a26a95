/**
 * Which workers exceed the memory limit of their app and must be replaced now.
 *
 * A program that always exceeds its limit would be replaced forever. So while replacements of a
 * slot follow each other quickly, each one waits twice as long as the one before, up to a minute.
 * A slow leak never waits.
 */

/** Older replacements do not count. */
const RECENT_MS = 600_000;
const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 60_000;

/**
 * @typedef {object} MemoryView
 * @property {number} slot
 * @property {number | null} memory bytes of RSS; null: not known
 * @property {readonly number[]} replacedMs monotonic times of replacements for memory, ascending
 */

/**
 * @param {object} state
 * @param {number} state.limit bytes
 * @param {readonly MemoryView[]} state.workers
 * @param {number} state.nowMs monotonic
 * @returns {number[]} slots
 */
export function slotsOverMemory({ limit, workers, nowMs }) {
  return workers
    .filter(({ memory }) => memory !== null && memory > limit)
    .filter(({ replacedMs }) => mayReplace(recentReplacements(replacedMs, nowMs), nowMs))
    .map(({ slot }) => slot);
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
 * @param {number[]} recent replacements of a slot, on the monotonic clock
 * @param {number} nowMs
 * @returns {boolean} whether its worker may be replaced again
 */
export function mayReplace(recent, nowMs) {
  return nowMs >= earliestReplacement(recent);
}

/** @param {number[]} recent */
function earliestReplacement(recent) {
  const last = recent.at(-1);
  if (last === undefined) return 0;
  return last + Math.min(FIRST_DELAY_MS * 2 ** (recent.length - 1), MAX_DELAY_MS);
}
