/** When a change leads to a reload, and what is said of it. */

/** While files keep changing, the reload happens after at most this many delays. */
const MAX_WATCH_DELAYS = 10;

/**
 * @param {number} delay after the last change of a file
 * @param {number} waited since the first
 * @returns {number} until the reload, if nothing else changes
 */
export function watchDelay(delay, waited) {
  return Math.max(0, Math.min(delay, MAX_WATCH_DELAYS * delay - waited));
}

const RECENT_MS = 60_000;

/**
 * @typedef {{file: string, at: number}} Reload at: monotonic ms
 *
 * @param {readonly Reload[]} reloads
 * @param {number} now
 * @returns {Reload[]} those of the last minute
 */
export function recentReloads(reloads, now) {
  return reloads.filter(({ at }) => now - at < RECENT_MS);
}

/** A program that writes this file would be reloaded for ever. */
const MANY_RELOADS = 3;

/**
 * @param {readonly Reload[]} recent
 * @param {string} file
 * @returns {number} how many reloads it has caused; 0: not so many that it must be said
 */
export function repeatsOf(recent, file) {
  const count = recent.filter((reload) => reload.file === file).length;
  return count < MANY_RELOADS ? 0 : count;
}
