/** Who accepts from the socket of a slot: its own worker, and all others in its place when that does not. */

/**
 * @template Worker
 * @typedef {object} Server a worker that may have connections at one address
 * @property {Worker} worker
 * @property {boolean} isOwn the socket is that of its slot
 * @property {boolean} isBlocked now
 * @property {boolean} wasBlocked now or a short time ago: the next client should not wait either
 */

/**
 * @template Worker
 * @param {readonly Server<Worker>[]} servers at the address of the socket
 * @returns {Worker[]} stand-ins are among them unless its own worker accepts. A blocked one does not
 *   stand in, since it could not
 */
export function acceptorsOf(servers) {
  const isServed = servers.some(({ isOwn, wasBlocked }) => isOwn && !wasBlocked);
  return servers
    .filter(({ isOwn, isBlocked }) => isOwn || (!isServed && !isBlocked))
    .map(({ worker }) => worker);
}
