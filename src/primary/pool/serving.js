/** Whether workers serve clients, or soon will: it decides whether listening sockets stay open. */
/**
 * @import { Prospect } from '../../lifecycle/listening.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/**
 * @param {WorkerPool} pool
 * @param {readonly number[]} [numbers] default: all slots
 * @returns {Prospect[]}
 */
export function prospectsOf(pool, numbers) {
  return pool.slotsOf(numbers).map((slot) => {
    const { comesBack, isDesired, blocked } = slot;
    return {
      isComing: !pool.isEnding && (comesBack || (isDesired && blocked === null)),
      servingMs: servingMs(pool.workersOf(slot)),
    };
  });
}

/**
 * A worker that has never listened may still do so. One whose channel has closed is dead, though
 * its exit may not have been reported yet.
 * @param {WorkerHandle[]} workers
 * @returns {number | null} how long the longest serving worker has served; null: none serves
 */
function servingMs(workers) {
  const since = workers
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
