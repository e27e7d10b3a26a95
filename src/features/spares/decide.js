/** Which slots are spare. One whose worker cannot serve changes places with a spare one; none gets another number. */

/**
 * @typedef {object} Candidate a slot
 * @property {number} slot
 * @property {boolean} isSpare until now
 * @property {boolean} isFit its worker is online, and nothing speaks against connections to it
 * @property {boolean} isStopped by a user, so that no other one serves in its place, unless all that served are
 * @property {boolean} isOnTrial what its worker answers is to be judged
 * @property {number | null} generation of its worker
 * @property {readonly number[]} replacedBy generations of which a spare must be that takes its place
 */

/**
 * @param {readonly Candidate[]} all
 * @param {number} count of spares
 * @returns {Set<number>} the slots that are spare from now on
 */
export function chooseSpares(all, count) {
  const spare = [...all].sort((one, other) => rankOf(one) - rankOf(other) || one.slot - other.slot);
  const serving = spare.splice(0, Math.max(0, all.length - count));
  for (const [index, worst] of serving.entries()) {
    if (worst.isFit || (worst.isStopped && serving.some((each) => !each.isStopped))) continue;
    // Another version takes nobody's place.
    const place = spare.findIndex(
      ({ isFit, generation }) => isFit && worst.replacedBy.includes(Number(generation)),
    );
    if (place >= 0) [serving[index], spare[place]] = [spare[place], worst];
  }
  return new Set(spare.map(({ slot }) => slot));
}

/** What serves goes on, if it can, and what is to be judged must serve. @param {Candidate} candidate */
function rankOf({ isSpare, isFit, isOnTrial }) {
  if (isOnTrial && isFit) return 0;
  return (isSpare ? 2 : 0) + (isFit ? 1 : 2);
}
