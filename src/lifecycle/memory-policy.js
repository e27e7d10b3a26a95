/**
 * Which workers use more memory than their app may, and are to be replaced now.
 *
 * A limit that a program exceeds by nature would have it replaced without end. So each further
 * replacement of a slot waits twice as long, up to a minute, as long as they come soon after each
 * other; a leak that takes its time never has to wait.
 */

/** Replacements further back are forgotten. */
const RECENT_MS = 600_000;
const FIRST_WAIT_MS = 10_000;
const MAX_WAIT_MS = 60_000;

/**
 * @typedef {object} MemoryView
 * @property {number} slot
 * @property {number | null} memory bytes of RSS; null: not known
 * @property {readonly number[]} replacedMs monotonic times at which it was replaced for its memory
 */

/**
 * @param {object} state
 * @param {number} state.limit bytes
 * @param {readonly MemoryView[]} state.workers
 * @param {number} state.nowMs monotonic
 * @returns {number[]} slots
 */
export function overMemory({ limit, workers, nowMs }) {
  return workers
    .filter(({ memory }) => memory !== null && memory > limit)
    .filter(({ replacedMs }) => nowMs >= nextTime(recentOnly(replacedMs, nowMs)))
    .map(({ slot }) => slot);
}

/**
 * @param {readonly number[]} replacedMs
 * @param {number} nowMs
 * @returns {number[]} those that still count
 */
export function recentOnly(replacedMs, nowMs) {
  return replacedMs.filter((at) => nowMs - at < RECENT_MS);
}

/** @param {number[]} recent in ascending order */
function nextTime(recent) {
  const last = recent.at(-1);
  if (last === undefined) return 0;
  return last + Math.min(FIRST_WAIT_MS * 2 ** (recent.length - 1), MAX_WAIT_MS);
}
