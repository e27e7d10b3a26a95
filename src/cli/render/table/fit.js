/** Which columns of a table a terminal has room for, and how wide each may be. */

/**
 * @typedef {object} Claim what a column asks for
 * @property {number} importance the least important columns go first; Infinity: it always stays
 * @property {number} least the width below which it is of no use
 * @property {number} wanted the width in which it is whole
 */

/**
 * The least widths come first, so that a column is dropped before a more important one is spoilt;
 * what is left over goes to the most important ones.
 * @template {Claim} T
 * @param {readonly T[]} claims in their order on the screen
 * @param {number | null} room columns of the terminal; null: as many as it takes
 * @param {number} gap columns between two of them
 * @returns {{claim: T, width: number}[]} what is shown
 */
export function fit(claims, room, gap) {
  if (room === null) return claims.map((claim) => ({ claim, width: claim.wanted }));
  const byImportance = [...claims].sort((a, b) => a.importance - b.importance);
  const shown = new Map(claims.map((claim) => [claim, claim.least]));
  const taken = () => [...shown.values()].reduce((sum, width) => sum + width + gap, -gap);
  for (const claim of byImportance) {
    if (taken() <= room || claim.importance === Infinity) break;
    shown.delete(claim);
  }
  let left = room - taken();
  for (const claim of byImportance.reverse()) {
    const width = shown.get(claim);
    if (width === undefined || left <= 0) continue;
    const more = Math.min(left, claim.wanted - width);
    shown.set(claim, width + more);
    left -= more;
  }
  return claims.flatMap((claim) => {
    const width = shown.get(claim);
    return width === undefined ? [] : [{ claim, width }];
  });
}
