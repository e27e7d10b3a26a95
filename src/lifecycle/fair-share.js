/**
 * `scheduling: fair`: how many open connections a worker may have at an address before it hands the
 * next one on, and who gets that one.
 */

/** Handing a connection on costs more than a difference of as many is worth. */
const MIN_SLACK = 2;
/** But with fewer, the next one may wait for a slow request although another worker has nothing to do. */
const FEW = 2;
/** The part of its share by which a worker may exceed it. */
const SLACK = 1 / 8;
/** A limit that is lower than the one that the worker knows, but not so much, is not worth a message. */
const NOTEWORTHY = 3 / 4;

/**
 * @param {readonly number[]} loads connections of each worker that takes some at the address
 * @param {number} cores
 * @returns {number | null} open connections with which a worker hands the next one over; null: it never does
 */
export function limitFor(loads, cores) {
  if (loads.length < 2) return null;
  const share = loads.reduce((sum, load) => sum + load, 0) / loads.length;
  const slack = Math.max(share < FEW ? 1 : MIN_SLACK, Math.floor(share * SLACK));
  // With more workers than cores, a connection waits as long for another worker as behind others of its own.
  return Math.max(Math.floor(share) + slack, Math.floor(loads.length / cores));
}

/**
 * A worker learns of a higher limit when it hands something over. Not earlier: it may never need it.
 * @param {number | null} known limit that the worker knows
 * @param {number | null} limit
 * @returns {boolean} whether to notify the worker
 */
export function isNoteworthy(known, limit) {
  if (!known || !limit) return known !== limit;
  return limit < known * NOTEWORTHY;
}

/**
 * @typedef {object} Receiver a worker that takes connections at the address
 * @property {number} load its open connections
 * @property {boolean} isSender it has handed the connection on
 * @property {boolean} isFree it has acknowledged all that it was handed
 * @property {boolean} isLate it has not acknowledged one in time
 */

/**
 * @template {Receiver} Worker
 * @param {readonly Worker[]} workers
 * @param {number | null} limit for the sender
 * @returns {Worker | null} null: one will be free in a moment, or none takes any
 */
export function chooseReceiver(workers, limit) {
  const sender = workers.find(({ isSender }) => isSender) ?? null;
  const others = workers.filter((worker) => worker !== sender);
  const hasRoom = sender !== null && (limit === null || sender.load < limit);
  // Of two with the same load, the sender is the one that is busy.
  const free = (hasRoom ? [...others, sender] : others).filter(({ isFree }) => isFree);
  if (free.length > 0) return free.reduce((a, b) => (b.load < a.load ? b : a));
  const isSoonFree = others.some(({ isFree, isLate }) => !isFree && !isLate);
  // One at a time: on a busy machine all seem late, and the others may be free before it is.
  return isSoonFree || !sender?.isFree ? null : sender;
}
