/** Who accepts from the socket of a slot: its own worker, and some others in its place when that does not. */

/**
 * Each costs two messages of the primary when its turn comes and goes, so not all of 64 workers stand in for
 * one. If these are blocked too, others follow.
 */
const MAX_STAND_INS = 4;

/**
 * @template Worker
 * @typedef {object} Server a worker that may have connections at one address
 * @property {Worker} worker
 * @property {number} slot
 * @property {boolean} isOwn the socket is that of its slot
 * @property {boolean} accepts from it so far
 * @property {boolean} isBlocked now
 * @property {boolean} wasBlocked now or a short time ago: the next client should not wait either
 */

/**
 * @template Worker
 * @param {number} slot whose socket it is
 * @param {readonly Server<Worker>[]} servers at the address of the socket
 * @returns {Worker[]} stand-ins are among them unless its own worker accepts. A blocked one does not
 *   stand in, since it could not
 */
export function acceptorsOf(slot, servers) {
  const own = servers.filter(({ isOwn }) => isOwn);
  const isServed = own.some(({ wasBlocked }) => !wasBlocked);
  const standIns = isServed ? [] : standInsOf(slot, servers);
  return [...own, ...standIns].map(({ worker }) => worker);
}

/**
 * @template Worker
 * @param {number} slot
 * @param {readonly Server<Worker>[]} servers
 */
function standInsOf(slot, servers) {
  return servers
    .filter(({ isOwn, isBlocked }) => !isOwn && !isBlocked)
    .sort((a, b) => Number(b.accepts) - Number(a.accepts) || rank(slot, a) - rank(slot, b))
    .slice(0, MAX_STAND_INS);
}

/** Others for each slot. @param {number} slot @param {{slot: number}} server */
function rank(slot, server) {
  const mixed = Math.imul(slot + 1, 0x9e3779b1) ^ Math.imul(server.slot + 1, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
}
