/** Whether workers serve clients, or soon will: it decides whether listening sockets stay open. */
/**
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** @param {WorkerPool} pool @returns {boolean} whether some slot will have a worker again */
export function isWorkerComing({ slots, isEnding }) {
  if (isEnding) return false;
  return [...slots.values()].some(
    ({ comesBack, isDesired, blocked }) => comesBack || (isDesired && blocked === null),
  );
}

/**
 * A worker that has never listened may still do so. One whose channel has closed is dead, though
 * its exit may not have been reported yet.
 * @param {WorkerPool} pool
 * @returns {number | null} how long the longest serving worker has served; null: none serves
 */
export function longestServingMs({ workers }) {
  const since = [...workers.values()]
    .filter(({ status, child }) => status === 'online' && child?.connected)
    .filter(({ listenedAtMs }) => listenedAtMs !== null)
    .map(({ onlineAtMs, listenedAtMs }) => Math.max(onlineAtMs ?? 0, listenedAtMs ?? 0));
  return since.length > 0 ? performance.now() - Math.min(...since) : null;
}

/** @param {WorkerPool} pool @returns {boolean} whether a worker that was asked to exit has not */
export function isWorkerLeaving({ workers }) {
  return [...workers.values()].some(({ isRetired }) => isRetired);
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @returns {boolean} whether its worker listens, or must listen again and is not online yet
 */
export function hasClients(pool, slot) {
  const workers = pool.workersOf(slot);
  const isComing = slot.listensAgain && workers.every(({ onlineAtMs }) => onlineAtMs === null);
  return isComing || workers.some(({ listening }) => listening.size > 0);
}
