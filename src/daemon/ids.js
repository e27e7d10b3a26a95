/** Worker ids: numbers unique in a home, given to (app, slot) for as long as the slot exists. */

/**
 * @param {readonly number[]} slots the slots that shall have ids
 * @param {Readonly<Record<number, number>>} present ids by slot; those of other slots are given back
 * @param {Iterable<number>} taken ids of all other apps
 * @returns {Record<number, number>} ids by slot, new ones the lowest that are free
 */
export function assignIds(slots, present, taken) {
  /** @type {Record<number, number>} */
  const ids = {};
  const used = new Set(taken);
  for (const slot of slots) if (slot in present) used.add((ids[slot] = present[slot]));
  let next = 0;
  for (const slot of slots) {
    if (slot in ids) continue;
    while (used.has(next)) next += 1;
    ids[slot] = next;
    used.add(next);
  }
  return ids;
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
