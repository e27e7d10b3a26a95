/**
 * What a worker without an agent listens on, or why it cannot. It is looked for while the worker starts,
 * and for a while after. Each look reads some files of /proc for each of its processes, so the first one
 * that finds something is the last.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { faultInOutput } from '../../lifecycle/listening.js';
import { listenersOf, SEES_LISTENERS } from '../processes/tree.js';

/**
 * @import { Listener } from '../../protocol/shapes.js'
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { WorkerHandle } from './handle.js'
 */

const FAST_MS = 250;
const SLOW_MS = 1000;
/** After this time it is looked for less often. */
const FAST_FOR_MS = 10_000;
/** The longest share of the time that the looks take. */
const MAX_SHARE = 0.05;

/** @param {WorkerHandle} worker @param {(listener: Listener) => void} found */
export async function watchTree(worker, found) {
  while (SEES_LISTENERS && isSought(worker)) {
    const lookMs = performance.now();
    const addresses = await listenersOf(worker.pid ?? 0);
    if (!isSought(worker)) return;
    for (const address of addresses) found({ address, protocol: null });
    const pauseMs = worker.uptimeMs < FAST_FOR_MS ? FAST_MS : SLOW_MS;
    const sleepMs = Math.max(pauseMs, (performance.now() - lookMs) / MAX_SHARE);
    await sleep(sleepMs, undefined, { ref: false });
  }
}

/** @param {WorkerHandle} worker @returns {boolean} whether somebody waits for what it listens on */
function isSought({ isRunning, status, listening, uptimeMs, launch }) {
  const isSoon = status === 'online' && uptimeMs < launch.spec.listenTimeoutMs;
  return isRunning && listening.size === 0 && (status === 'starting' || isSoon);
}

/**
 * Only its output says that a program below it could not listen.
 * @param {WorkerHandle} worker
 * @param {Exit} exit
 */
export async function faultBelow({ output }, { code }) {
  return code ? faultInOutput(await output.lastLines()) : null;
}
