/** What the failure of a worker means for its slot. */
import { once } from 'node:events';

/**
 * @import { SlotFailure } from '../../protocol/shapes.js'
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** @typedef {Pick<WorkerPool, 'emit' | 'changed'>} Reporter */

/**
 * The worker hangs, or did not become ready, and is about to be ended. It counts as dead at once,
 * so the next worker waits only as long as the restart policy says.
 * @param {Slot | undefined} slot undefined: it was removed meanwhile
 * @param {WorkerHandle} worker
 * @param {string} how in words that follow 'it'
 * @param {Reporter} pool
 */
export function onEarlyFailure(slot, worker, how, pool) {
  if (!slot) return;
  // A command that reports the failure waits for the exit and its last lines.
  slot.lastFailure = once(worker, 'exit').then(
    () => /** @type {Promise<SlotFailure>} */ (slot.lastFailure),
  );
  const exit = { code: null, signal: null };
  judgeDeath(slot, worker, { exit, how }, pool);
  reportFailure(slot, worker, exit, pool);
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {Exit} exit @param {Reporter} pool */
export function onFailedExit(slot, worker, exit, pool) {
  const { uptimeMs, output } = worker;
  const reason = /** @type {string} */ (worker.failure);
  const endedItself = !worker.hasFailedEarly;
  const lastLines = output.lastLines();
  const noted = slot.noteFailure({ reason, exit, endedItself, uptimeMs, lastLines });
  if (endedItself) {
    judgeDeath(slot, worker, { exit }, pool);
    reportFailure(slot, worker, exit, pool);
  }
  const failure = describeFailure(slot, worker, exit);
  noted.then(({ lastLines }) => {
    const durationMs = Math.round(uptimeMs);
    pool.emit('event', { type: 'worker.exited', ...failure, durationMs, lastLines });
    pool.changed();
  });
}

/**
 * Before its replacement starts, so without the last lines.
 * @param {Slot} slot
 * @param {WorkerHandle} worker
 * @param {Exit} exit
 * @param {Reporter} pool
 */
function reportFailure(slot, worker, exit, pool) {
  slot.failureReport = {
    kind: hasEndedSlot(slot, worker) ? 'exited' : 'failed',
    ...describeFailure(slot, worker, exit),
  };
  pool.emit('progress', slot.failureReport);
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {Exit} exit */
function describeFailure(slot, worker, exit) {
  const { pid, generation, failure, fault } = worker;
  const { code, signal } = exit;
  const reason = hasEndedSlot(slot, worker) ? slot.reason : failure;
  return { slot: slot.number, reason, fault, pid, generation, code, signal };
}

/**
 * A slot that a reload gives back may have been blocked before.
 * @param {Slot} slot
 * @param {WorkerHandle} worker that has exited
 * @returns {boolean} whether the exit was expected, so that nothing runs there any more
 */
function hasEndedSlot({ blocked, launch }, worker) {
  return blocked === 'exited' && launch === worker.launch;
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {{exit: Exit, how?: string}} death @param {Reporter} pool */
function judgeDeath(slot, worker, { exit, how }, pool) {
  if (slot.launch !== worker.launch) return;
  slot.hasFailed = true;
  slot.failedAtMs = performance.now();
  const startingMs = worker.onlineAtMs === null ? worker.uptimeMs : 0;
  const isProven = worker.readiness.hasStayedUp && !slot.isOnTrial;
  if (slot.exitedAsBefore(exit) || isProven) slot.endReload();
  // A worker that dies early fails the reload, which goes back to what ran before.
  if (slot.previous !== null) pool.emit('replacement-failed', slot);
  else if (slot.isDesired) {
    slot.noteDeath({ exit, startingMs, how }, performance.now());
    const { number, blocked, reason } = slot;
    if (blocked === 'errored') pool.emit('event', { type: 'worker.errored', slot: number, reason });
  }
}
