/** How each kind of scheduling works: the only place in the primary that tells them apart. */
import { ListeningSocket, SharedSocket } from './listening-socket.js';
import { canSharePort, reopenToShare, SlotSockets } from './slot-sockets.js';

/**
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {object} Policy
 * @property {boolean} workersAccept by themselves, from a socket that node:cluster sends them
 * @property {boolean} [isSticky] the primary chooses the worker in place of node:cluster
 * @property {boolean} [isFair] workers hand over what exceeds their share
 * @property {typeof SharedSocket} Socket
 * @property {typeof reopenToShare} [reopen] a new socket whose address is known to be free
 */

/** @type {Policy} */
const roundRobin = { workersAccept: false, Socket: ListeningSocket };
/** @type {Policy} */
const shared = { workersAccept: true, Socket: SharedSocket };
/** Each connection wakes every idle worker. @type {Policy} */
const fair = { ...shared, isFair: true };
/** It wakes one. An address that cannot have a socket for each slot has one for all. @type {Policy} */
const fairBySlot = { ...fair, reopen: reopenToShare, Socket: SlotSockets };

/** @type {Record<Spec['scheduling'], Policy>} */
const POLICIES = {
  'round-robin': roundRobin,
  sticky: { ...roundRobin, isSticky: true },
  shared,
  fair,
};

/** @param {Spec['scheduling']} scheduling */
export function policyOf(scheduling) {
  return scheduling === 'fair' && canSharePort() ? fairBySlot : POLICIES[scheduling];
}
