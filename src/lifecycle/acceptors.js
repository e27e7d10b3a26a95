/**
 * `scheduling: fair`: which workers accept from the socket that all of them have. The kernel wakes each of these that is
 * idle for a connection, so there are few, and more as long as they are not enough.
 */
import { limitFor } from './fair-share.js';

/** So many always accept: what few wake costs little, and none of them waits to be called. */
const ALL_OF = 4;
/** While one of them is busy for a moment, another one accepts. */
const FEWEST = 2;
/** Without a reason to have more, a quarter of them stop after so many ms. */
const CALM_MS = 1000;
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

/** One of them has more connections than its share, or all are blocked. @param {number} wanted @param {number} workers */
export function more(wanted, workers) {
  return Math.min(workers, 2 * Math.max(FEWEST, wanted));
}

/**
 * @param {number} wanted
 * @param {number} calmMs since there was a reason to have more
 * @returns {number} how many should accept now
 */
export function fewer(wanted, calmMs) {
  return Math.max(FEWEST, Math.floor(wanted * CALMER ** Math.floor(calmMs / CALM_MS)));
}
