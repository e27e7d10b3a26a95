/** The limits of a worker that waits for a CPU are at most so many times as long. */
export const MAX_STRETCH = 10;
/** Of a base that may be 0: without it, 0 times infinity would be no number. */
const MAX_DOUBLINGS = 30;

/**
 * Twice as long each time.
 * @param {number} earlier delays before this one
 * @param {number} firstMs
 * @param {number} maxMs
 */
export function doublingDelay(earlier, firstMs, maxMs) {
  return Math.min(firstMs * 2 ** Math.min(earlier, MAX_DOUBLINGS), maxMs);
}
