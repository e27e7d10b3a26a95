/**
 * `scheduling: fair`: which workers accept from the socket that all of them have. The kernel wakes each of these that is
 * idle for a connection, so there are few, and more as long as they are not enough.
 */
import { limitFor } from './fair-share.js';

/** So many always accept: what few wake costs little, and none of them waits to be called. */
export const ALL_OF = 4;
/** While one of them is busy for a moment, another one accepts. */
export const FEWEST = 2;
/** After so many ms in which not so many were needed, a quarter of them stop. */
export const CALM_MS = 1000;
const CALMER = 3 / 4;

/**
 * @typedef {object} Acceptor a worker that may have connections at the address
 * @property {number} load its open connections
 * @property {boolean} accepts so far
 * @property {boolean} isBlocked its event loop does not turn
 * @property {boolean} wasBlocked now or a short time ago: the next client should not wait either
 */

/**
 * @template {Acceptor} Worker
 * @param {readonly Worker[]} workers
 * @param {number} wanted how many should accept
 * @param {number} cores
 * @returns {Worker[]} those that are to accept. As many as are blocked are ready besides, since more may be
 */
export function acceptorsOf(workers, wanted, cores) {
  if (workers.length <= ALL_OF) return [...workers];
  const limit = limitFor(
    workers.map(({ load }) => load),
    cores,
  );
  const able = workers.filter(({ isBlocked }) => !isBlocked);
  const reluctance = (/** @type {Worker} */ { wasBlocked, load }) =>
    Number(wasBlocked) * 2 + Number(limit !== null && load >= limit);
  return able
    .sort(
      (a, b) =>
        reluctance(a) - reluctance(b) || Number(b.accepts) - Number(a.accepts) || a.load - b.load,
    )
    .slice(0, Math.max(FEWEST, wanted, 2 * (workers.length - able.length)));
}

/**
 * @param {readonly number[]} loads of all workers at the address
 * @param {number} cores
 * @returns {number} workers that must accept for none of them to have more than its share
 */
export function neededFor(loads, cores) {
  const limit = limitFor(loads, cores);
  const all = loads.reduce((sum, load) => sum + load, 0);
  return limit === null ? 0 : Math.min(loads.length, Math.ceil(all / limit) + 1);
}

/**
 * @param {number} most that were needed
 * @param {number} sinceMs that long ago
 * @returns {number} how many should accept now
 */
export function stillNeeded(most, sinceMs) {
  return Math.max(FEWEST, Math.floor(most * CALMER ** Math.floor(sinceMs / CALM_MS)));
}
