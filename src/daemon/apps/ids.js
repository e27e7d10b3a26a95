/**
 * Worker ids: numbers unique in a home, given to (app, slot) for as long as the slot exists. None is
 * given twice: a `stop 3` that somebody remembers must never meet another worker.
 */

/**
 * @param {readonly number[]} slots the slots that shall have ids
 * @param {Readonly<Record<number, number>>} present ids by slot; those of other slots are void
 * @param {number} next the lowest number that was never an id
 * @returns {{ids: Record<number, number>, next: number}} ids by slot
 */
export function assignIds(slots, present, next) {
  /** @type {Record<number, number>} */
  const ids = {};
  for (const slot of slots) ids[slot] = present[slot] ?? next++;
  return { ids, next: Math.max(next, ...Object.values(ids).map((id) => id + 1)) };
}

/**
 * Slots for so many workers: the present ones as far as they are wanted, the lowest free ones more.
 * @param {readonly number[]} present in ascending order
 * @param {number} count
 * @returns {number[]} in ascending order
 */
export function slotsFor(present, count) {
  const slots = present.slice(0, count);
  for (let slot = 0; slots.length < count; slot += 1) if (!slots.includes(slot)) slots.push(slot);
  return slots.sort((a, b) => a - b);
}
