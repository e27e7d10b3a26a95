/** Memory and descriptors of the daemon and of a primary over time. */
import { descriptorsOf } from '../../test/support/processes.js';
import { privateMegabytes } from '../processes.js';

/**
 * @typedef {object} Size of a process
 * @property {number} pid
 * @property {number} privateMb memory that it shares with no other process
 * @property {number} descriptors
 *
 * @typedef {{atS: number, daemon: Size, primary: Size}} Sample
 */

/** @param {number} pid @returns {Size} */
export function sizeOf(pid) {
  const privateMb = Math.round(privateMegabytes(pid) * 10) / 10;
  return { pid, privateMb, descriptors: descriptorsOf(pid).length };
}
