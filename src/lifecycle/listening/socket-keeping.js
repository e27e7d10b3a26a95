/**
 * Whether a listening socket without workers stays open. It does while a slot whose worker listened
 * there is about to serve it again; otherwise its clients would wait for nothing.
 *
 * @param {readonly Prospect[]} slots those whose workers have listened there
 * @param {number} settleMs after this time online, a worker has opened all its sockets
 * @returns {boolean}
 */
export function keepsSocket(slots, settleMs) {
  return slots.some(
    ({ isComing, servingMs }) => isComing && (servingMs === null || servingMs < settleMs),
  );
}

/**
 * @typedef {object} Prospect one slot
 * @property {boolean} isComing it has a worker, or will have one again
 * @property {number | null} servingMs how long its worker has been online; null: it does not serve
 *   yet, though one that takes long to listen may be online
 */
