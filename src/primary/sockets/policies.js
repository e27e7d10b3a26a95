/** How each kind of scheduling works: the only place in the primary that tells them apart. */
import { hookRoundRobin, hookShared } from './listen-hooks.js';
import { ListeningSocket, SharedSocket } from './listening-socket.js';
import { SlotSockets, reopenToShare } from './slot-sockets.js';

/**
 * @import { Scheduling } from '../../lifecycle/effective-scheduling.js'
 *
 * @typedef {object} Policy
 * @property {boolean} workersAccept by themselves, from a socket that node:cluster sends them
 * @property {boolean} [isSticky] the primary chooses the worker in place of node:cluster
 * @property {boolean} [isFair] workers hand over what exceeds their share
 * @property {typeof hookRoundRobin} hook how the primary gets the sockets that node:cluster opens
 * @property {typeof SharedSocket} Socket
 */

/** @type {Policy} */
const roundRobin = { workersAccept: false, hook: hookRoundRobin, Socket: ListeningSocket };
/** @type {Policy} */
const shared = { workersAccept: true, hook: hookShared, Socket: SharedSocket };
/** @type {Policy} */
const fair = { ...shared, isFair: true };

/** @type {Record<Scheduling, Policy>} */
const POLICIES = {
  'round-robin': roundRobin,
  sticky: { ...roundRobin, isSticky: true },
  shared,
  fair,
  // An address that cannot have a socket for each slot is fair.
  reuseport: { ...fair, hook: (all) => hookShared(all, reopenToShare), Socket: SlotSockets },
};

/** @param {Scheduling} scheduling that takes effect */
export function policyOf(scheduling) {
  return POLICIES[scheduling];
}
