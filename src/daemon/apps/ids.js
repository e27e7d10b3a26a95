/**
 * Worker ids: numbers that are unique in a home directory. A slot keeps its id as long as it
 * exists, and no id is used twice as long as there are apps: a remembered `stop 3` must never hit
 * another worker.
 */

/**
 * @param {readonly number[]} slots
 * @param {Readonly<Record<number, number>>} current ids by slot; other slots lose theirs
 * @param {number} next the lowest number that has not been an id
 * @returns {{ids: Record<number, number>, next: number}} ids by slot
 */
export function assignIds(slots, current, next) {
  /** @type {Record<number, number>} */
  const ids = {};
  for (const slot of slots) ids[slot] = current[slot] ?? next++;
  return { ids, next: Math.max(next, ...Object.values(ids).map((id) => id + 1)) };
}

/**
 * Keeps current slots as far as they are needed, and adds the lowest free ones.
 * @param {readonly number[]} current in ascending order
 * @param {number} count
 * @returns {number[]} in ascending order
 */
export function slotsFor(current, count) {
  const slots = current.slice(0, count);
  for (let slot = 0; slots.length < count; slot += 1) if (!slots.includes(slot)) slots.push(slot);
  return slots.sort((a, b) => a - b);
}
