/** What the failure of a worker does to its slot. */
import { once } from 'node:events';

/**
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { SlotFailure } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/worker-handle.js'
 * @import { Slot } from './slot.js'
 * @import { WorkerPool } from './worker-pool.js'
 */

/**
 * It has ended without that being wanted.
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @param {WorkerHandle} worker
 * @param {Exit} exit
 */
export function onFailure(pool, slot, worker, exit) {
  const { pid, generation, uptimeMs, output } = worker;
  const reason = /** @type {string} */ (worker.failure);
  const { code, signal } = exit;
  const noted = slot.noteFailure({ reason, exit, uptimeMs, lastWords: output.lastWords() });
  if (!worker.isGivenUp) onDeath(pool, slot, worker, { exit });
  const isAllowed = slot.blocked === 'exited';
  const what = isAllowed ? { kind: 'exited', reason: slot.reason } : { kind: 'failed', reason };
  noted.then((failure) => {
    pool.emit('progress', { ...failure, ...what, pid, generation, code, signal });
    pool.changed();
  });
}

/**
 * It counts as dead at once: its successor need not wait until it has ended, but for what the
 * restart policy says.
 * @param {WorkerPool} pool
 * @param {WorkerHandle} worker that hangs or did not become ready, and is about to be ended
 * @param {string} how in words that follow 'the worker'
 */
export function onGivenUp(pool, worker, how) {
  const slot = pool.slots.get(worker.slot);
  if (!slot) return;
  // Who asks for the failure now waits until it has ended and its last lines have come.
  slot.lastFailure = once(worker, 'gone').then(
    () => /** @type {Promise<SlotFailure>} */ (slot.lastFailure),
  );
  onDeath(pool, slot, worker, { exit: { code: null, signal: null }, how });
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @param {WorkerHandle} worker
 * @param {{exit: Exit, how?: string}} end
 */
function onDeath(pool, slot, worker, { exit, how }) {
  if (slot.launch !== worker.launch) return;
  slot.hasFailed = true;
  const startingMs = worker.onlineAtMs === null ? worker.uptimeMs : 0;
  if (slot.endsAsBefore(exit)) slot.endReload();
  // While it is new, its failure is the reload's, which goes back to what ran before.
  if (slot.previous !== null) pool.emit('replacement-failed', slot);
  else if (slot.wanted) {
    slot.noteDeath({ exit, startingMs, how }, performance.now());
    const { number, blocked, reason } = slot;
    if (blocked === 'errored') pool.emit('event', { type: 'worker.errored', slot: number, reason });
  }
}
