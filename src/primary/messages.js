/** Sends messages to the programs, which receive them with `process.on('message')`, and signals. */
import { channelTo } from './worker/channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerPool } from './pool/pool.js'
 */

/**
 * @param {WorkerPool} pool
 * @param {{slots?: number[], message: unknown}} params
 * @returns {Promise<{sent: number[], failed: number[]}>} slots that have an online worker
 */
export async function sendMessage(pool, { slots, message }) {
  const workers = [...pool.workers.values()].filter(
    ({ slot, status }) => status === 'online' && (!slots || slots.includes(slot)),
  );
  const results = await Promise.all(
    workers.map(({ child }) => (child ? channelTo(child).deliver(message) : false)),
  );
  const slotsWith = (/** @type {boolean} */ result) =>
    workers.filter((_, index) => results[index] === result).map(({ slot }) => slot);
  return { sent: slotsWith(true), failed: slotsWith(false) };
}

/**
 * @param {WorkerPool} pool
 * @param {{slots?: number[], signal: string}} params
 * @returns {{sent: number[], failed: number[]}} slots that have a process
 */
export function sendSignal(pool, { slots, signal }) {
  const workers = [...pool.workers.values()].filter(
    ({ slot, child }) => isRunning(child) && (!slots || slots.includes(slot)),
  );
  const name = /** @type {NodeJS.Signals} */ (signal);
  const results = workers.map(({ slot, child }) => ({ slot, isSent: child?.kill(name) }));
  const slotsWith = (/** @type {boolean} */ result) =>
    results.filter(({ isSent }) => isSent === result).map(({ slot }) => slot);
  return { sent: slotsWith(true), failed: slotsWith(false) };
}

/** @param {ChildProcess | undefined} child */
function isRunning(child) {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
