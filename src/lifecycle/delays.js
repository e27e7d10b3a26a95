/** Of a base that may be 0: without it, 0 times infinity would be no number. */
const MAX_DOUBLINGS = 30;

/**
 * @param {number} earlier how many delays came before this one
 * @param {number} firstMs @param {number} maxMs
 * @returns {number} ms until the next attempt, twice as long each time
 */
export function doublingDelay(earlier, firstMs, maxMs) {
  return Math.min(firstMs * 2 ** Math.min(earlier, MAX_DOUBLINGS), maxMs);
}
