/** Messages from outside to the programs, as ordinary ones: `process.on('message')` gets them. */
/**
 * @import { ChildProcess, Serializable } from 'node:child_process'
 * @import { WorkerPool } from '../pool/pool.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** Messages of which one worker has not taken; more are not sent to it. */
const MAX_UNTAKEN = 100;
/** What the channel may take, in milliseconds. */
const SEND_MS = 2000;

/** @type {WeakMap<ChildProcess, number>} */
const untaken = new WeakMap();

/**
 * @param {WorkerPool} pool
 * @param {{slots?: number[], message: unknown}} order
 * @returns {Promise<{sent: number[], failed: number[]}>} slots; not those that have no worker online
 */
export async function sendMessage(pool, { slots, message }) {
  const workers = [...pool.workers.values()].filter(
    ({ slot, status }) => status === 'online' && (!slots || slots.includes(slot)),
  );
  const results = await Promise.all(workers.map(({ child }) => deliver(child, message)));
  const slotsWith = (/** @type {boolean} */ result) =>
    workers.filter((_, index) => results[index] === result).map(({ slot }) => slot);
  return { sent: slotsWith(true), failed: slotsWith(false) };
}

/**
 * @param {ChildProcess | undefined} child
 * @param {unknown} message
 * @returns {Promise<boolean>} whether its channel took it
 */
async function deliver(child, message) {
  const waiting = (child && untaken.get(child)) ?? 0;
  if (!child?.connected || waiting >= MAX_UNTAKEN) return false;
  untaken.set(child, waiting + 1);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), SEND_MS);
    child.send(/** @type {Serializable} */ (message), (error) => {
      clearTimeout(timer);
      untaken.set(child, (untaken.get(child) ?? 1) - 1);
      resolve(!error);
    });
  });
}
