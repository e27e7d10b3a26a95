/** What the failure of a worker does to its slot. */
import { once } from 'node:events';

/**
 * @typedef {import('./slot.js').Slot} Slot
 * @typedef {import('./worker-handle.js').WorkerHandle} WorkerHandle
 * @typedef {import('./worker-pool.js').WorkerPool} WorkerPool
 * @typedef {import('../lifecycle/restart-policy.js').Exit} Exit
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
  slot.noteFailure({ reason, exit, uptimeMs, lastWords: output.lastWords() }).then((failure) => {
    const { code, signal } = exit;
    pool.emit('progress', { kind: 'failed', ...failure, pid, generation, code, signal });
    pool.changed();
  });
  if (!worker.isHung) onDeath(pool, slot, worker, exit);
}

/**
 * It counts as dead at once: its successor need not wait until it has ended.
 * @param {WorkerPool} pool
 * @param {WorkerHandle} worker that does not respond, and is about to be killed
 */
export function onHung(pool, worker) {
  const slot = pool.slots.get(worker.slot);
  if (!slot) return;
  // Who asks for the failure now waits until it has ended and its last lines have come.
  slot.lastFailure = once(worker, 'gone').then(
    () => /** @type {Promise<import('./slot.js').Failure>} */ (slot.lastFailure),
  );
  const exit = { code: null, signal: 'SIGABRT' };
  onDeath(pool, slot, worker, exit, `was killed, its ${worker.failure}`);
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @param {WorkerHandle} worker
 * @param {Exit} exit
 * @param {string} [how]
 */
function onDeath(pool, slot, worker, exit, how) {
  if (slot.launch !== worker.launch) return;
  slot.hasFailed = true;
  // While it is new, its failure is the reload's, which goes back to what ran before.
  if (slot.previous !== null) pool.emit('replacement-failed', slot);
  else if (slot.wanted) {
    slot.noteDeath(exit, performance.now(), how);
    const { number, blocked, reason } = slot;
    if (blocked === 'errored') pool.emit('event', { type: 'worker.errored', slot: number, reason });
  }
}
