/** How each kind of scheduling works: the only place in the primary that tells them apart. */
import { hookReusePort, hookRoundRobin, hookShared } from './listen-hooks.js';
import { ListeningSocket } from './policies/listening-socket.js';
import { SharedSocket } from './policies/shared-socket.js';
import { SlotSockets } from './reuseport/slot-sockets.js';

/**
 * @import { Scheduling } from '../../lifecycle/effective-scheduling.js'
 *
 * @typedef {object} Policy
 * @property {boolean} workersAccept by themselves, from a socket that node:cluster sends them
 * @property {boolean} isSticky the primary chooses the worker in place of node:cluster
 * @property {typeof hookRoundRobin} hook how the primary gets the sockets that node:cluster opens
 * @property {typeof ListeningSocket | typeof SharedSocket} Socket
 */

/** @type {Policy} */
const roundRobin = {
  workersAccept: false,
  isSticky: false,
  hook: hookRoundRobin,
  Socket: ListeningSocket,
};
/** @type {Policy} */
const shared = { workersAccept: true, isSticky: false, hook: hookShared, Socket: SharedSocket };

/** @type {Record<Scheduling, Policy>} */
const POLICIES = {
  'round-robin': roundRobin,
  sticky: { ...roundRobin, isSticky: true },
  shared,
  fair: shared,
  reuseport: { ...shared, hook: hookReusePort, Socket: SlotSockets },
};

/** @param {Scheduling} scheduling that takes effect @returns {Policy} */
export function policyOf(scheduling) {
  return POLICIES[scheduling];
}
