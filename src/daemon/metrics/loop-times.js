/** The utilisation of the event loops of an app's workers, from two reports of each. */
/** @import { LoopTimes } from '../../protocol/shapes.js' */

/**
 * @param {readonly LoopTimes[]} before
 * @param {readonly LoopTimes[]} after
 * @returns {number[]} one for each worker whose event loop has turned in between; none if a worker is
 *   new, since it is not known yet how much load it takes from the others
 */
export function utilisationsBetween(before, after) {
  const known = new Map(before.map((times) => [times.pid, times]));
  if (after.some(({ pid }) => !known.has(pid))) return [];
  return after.flatMap(({ pid, activeMs, idleMs }) => {
    const first = /** @type {LoopTimes} */ (known.get(pid));
    const active = activeMs - first.activeMs;
    const total = active + idleMs - first.idleMs;
    return total > 0 ? [Math.min(1, Math.max(0, active / total))] : [];
  });
}
