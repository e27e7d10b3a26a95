/** How each kind of scheduling works: the only place in the primary that tells them apart. */
import { ListeningSocket, SharedSocket } from './listening-socket.js';

/**
 * @import { Spec } from '../../config/spec.js'
 *
 * @typedef {object} Policy
 * @property {boolean} workersAccept by themselves, from a socket that node:cluster sends them
 * @property {boolean} [isSticky] the primary chooses the worker in place of node:cluster
 * @property {boolean} [isFair] a few accept, and hand over what exceeds their share
 * @property {typeof SharedSocket} Socket
 */

/** @type {Policy} */
const roundRobin = { workersAccept: false, Socket: ListeningSocket };
/** Each connection wakes every idle worker. @type {Policy} */
const shared = { workersAccept: true, Socket: SharedSocket };

/** @type {Record<Spec['scheduling'], Policy>} */
export const POLICIES = {
  'round-robin': roundRobin,
  sticky: { ...roundRobin, isSticky: true },
  shared,
  fair: { ...shared, isFair: true },
};
