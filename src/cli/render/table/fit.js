/** Decides which columns of a table fit the terminal, and how wide each one is. */

/**
 * @typedef {object} Claim what a column needs
 * @property {number} priority the lowest is dropped first; Infinity: never dropped
 * @property {number} minWidth below this it is of no use
 * @property {number} fullWidth at this width nothing is truncated
 */

/**
 * Starts with the minimum widths, so that a column is dropped before a more important one becomes
 * unreadable. The room that is left goes to the most important columns.
 * @template {Claim} T
 * @param {readonly T[]} claims in their order on the screen
 * @param {number | null} room columns of the terminal; null: no limit
 * @param {number} gap columns between two of them
 * @returns {{claim: T, width: number}[]} the columns that are shown
 */
export function fit(claims, room, gap) {
  if (room === null) return claims.map((claim) => ({ claim, width: claim.fullWidth }));
  const byPriority = [...claims].sort((a, b) => a.priority - b.priority);
  const widths = new Map(claims.map((claim) => [claim, claim.minWidth]));
  const total = () => [...widths.values()].reduce((sum, width) => sum + width + gap, -gap);
  for (const claim of byPriority) {
    if (total() <= room || claim.priority === Infinity) break;
    widths.delete(claim);
  }
  let left = Math.max(0, room - total());
  for (const claim of byPriority.reverse()) {
    const width = widths.get(claim);
    if (width === undefined) continue;
    const extra = Math.min(left, claim.fullWidth - width);
    widths.set(claim, width + extra);
    left -= extra;
  }
  return claims.flatMap((claim) => {
    const width = widths.get(claim);
    return width === undefined ? [] : [{ claim, width }];
  });
}
