/** What the stops of several workers, or of several steps, had to kill. */

/** @import { Killed } from '../protocol/shapes.js' */

/** @param {Killed | undefined} first @param {Killed | undefined} second @returns {Killed | undefined} */
export function joinKilled(first, second) {
  if (!first || !second) return first ?? second;
  return { ...second, workers: first.workers + second.workers };
}
