/** How long a reload waits for further changes. */

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
