/** Which columns of a table a terminal has room for, and how wide each may be. */

/**
 * @typedef {object} Claim what a column asks for
 * @property {number} priority the lowest goes first; Infinity: it always stays
 * @property {number} minWidth below which it is of no use
 * @property {number} fullWidth in which nothing of it is truncated
 */

/**
 * Starts from the smallest widths, so that a column is dropped before a more important one becomes
 * unreadable; the room that is left goes to the most important ones.
 * @template {Claim} T
 * @param {readonly T[]} claims in their order on the screen
 * @param {number | null} room columns of the terminal; null: no limit
 * @param {number} gap columns between two of them
 * @returns {{claim: T, width: number}[]} those that are shown
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
