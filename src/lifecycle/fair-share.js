/** `scheduling: fair`: who accepts connections, how many of them a worker may have, and who gets those that it hands on. */

/** Handing a connection on costs more than a difference of as many is worth. */
const MIN_SLACK = 2;
/** But with fewer, the next one may wait for a slow request although another worker has nothing to do. */
const FEW = 2;
/** The part of its share by which a worker may exceed it. */
const SLACK = 1 / 8;
/** A limit that is lower than the one that the worker knows, but not so much, is not worth a message. */
const NOTEWORTHY = 3 / 4;

/**
 * Open connections with which a worker hands the next one over; null: it never does.
 * @param {readonly number[]} loads connections of each worker that takes some at the address @param {number} cores
 */
export function limitFor(loads, cores) {
  if (loads.length < 2) return null;
  const share = loads.reduce((sum, load) => sum + load, 0) / loads.length;
  const slack = Math.max(share < FEW ? 1 : MIN_SLACK, Math.floor(share * SLACK));
  // With more workers than cores, a connection waits as long for another worker as behind others of its own.
  return Math.max(Math.floor(share) + slack, Math.floor(loads.length / cores));
}

/**
 * Of a higher limit a worker learns when it hands something over.
 * @param {number | null} known to it
 * @param {number | null} limit
 */
export function isNoteworthy(known, limit) {
  if (!known || !limit) return known !== limit;
  return limit < known * NOTEWORTHY;
}

/**
 * isSender: it has handed the connection on; isFree: it has acknowledged all that it was handed; isLate: one not in time.
 * @template {{load: number, isSender: boolean, isFree: boolean, isLate: boolean}} Worker
 * @param {readonly Worker[]} workers @param {number | null} limit for the sender
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

/** So many always accept. The kernel wakes each idle one for a connection, so of more there are few, as long as these suffice. */
export const ALL_OF = 4;
/** While one of them is busy for a moment, another one accepts. */
export const FEWEST = 2;
/** After so many ms in which not so many were needed, a quarter of them stop. */
export const CALM_MS = 1000;
const CALMER = 3 / 4;

/**
 * Those that are to accept. As many as are blocked are ready besides, since more may be.
 * accepts: so far; isBlocked: its event loop does not turn.
 * @template {{load: number, accepts: boolean, isBlocked: boolean}} Worker
 * @param {readonly Worker[]} workers @param {number} wanted how many should accept @param {number} cores
 */
export function acceptorsOf(workers, wanted, cores) {
  if (workers.length <= ALL_OF) return [...workers];
  const limit = limitFor(
    workers.map(({ load }) => load),
    cores,
  );
  const able = workers.filter(({ isBlocked }) => !isBlocked);
  const isFull = (/** @type {Worker} */ { load }) => Number(limit !== null && load >= limit);
  return able
    .sort(
      (a, b) => isFull(a) - isFull(b) || Number(b.accepts) - Number(a.accepts) || a.load - b.load,
    )
    .slice(0, Math.max(FEWEST, wanted, 2 * (workers.length - able.length)));
}

/**
 * Workers that must accept for none to have more than its share.
 * @param {readonly number[]} loads of all
 * @param {number} cores
 */
export function neededFor(loads, cores) {
  const limit = limitFor(loads, cores);
  const all = loads.reduce((sum, load) => sum + load, 0);
  return limit === null ? 0 : Math.min(loads.length, Math.ceil(all / limit) + 1);
}

/** How many should accept now. @param {number} most that were needed @param {number} sinceMs that long ago */
export function stillNeeded(most, sinceMs) {
  return Math.max(FEWEST, Math.floor(most * CALMER ** Math.floor(sinceMs / CALM_MS)));
}
