/** Who accepts from the socket of a slot whose own worker does not: all others that can. */

/**
 * @template Worker
 * @typedef {object} Server a worker that may have connections at one address
 * @property {Worker} worker
 * @property {number} slot
 * @property {boolean} isBlocked now
 * @property {boolean} wasBlocked now or a short time ago: the next client should not wait either
 */

/**
 * @template Worker
 * @param {number} slot whose socket it is
 * @param {readonly Server<Worker>[]} servers at its address
 * @returns {Worker[]} those that accept from it besides the slot's own. A blocked one is not asked,
 *   since it could not
 */
export function standInsFor(slot, servers) {
  const isServed = servers.some((server) => server.slot === slot && !server.wasBlocked);
  if (isServed) return [];
  return servers
    .filter((server) => server.slot !== slot && !server.isBlocked)
    .map(({ worker }) => worker);
}
