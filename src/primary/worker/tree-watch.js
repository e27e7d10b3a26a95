/**
 * What nobody reports: the ports of a worker without an agent, and those of processes and threads below one
 * that has an agent. Each look reads some files of /proc for each of its processes, so they become rare.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../shared/deadline.js';
import { faultInOutput, placeAt } from '../../lifecycle/listening.js';
import { inspectorPort } from '../pool/launch.js';
import {
  descendantsOf,
  listenersOf,
  SEES_LISTENERS,
  unsharedListenersOf,
} from '../processes/tree.js';

/**
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { WorkerHandle } from './handle.js'
 * @import { NewListener } from './listeners.js'
 */

const FAST_MS = 250;
const SLOW_MS = 1000;
/** The longest wait for one. */
const LOOK_MS = 1000;
/** Between looks below a worker that has settled. */
const RARE_MS = 60_000;
/** After this time it is looked for less often. */
const FAST_FOR_MS = 10_000;
/** The longest share of the time that the looks take. */
const MAX_SHARE = 0.05;

/** @param {WorkerHandle} worker with an agent */
export async function watchBelow(worker) {
  let pauseMs = FAST_MS;
  while (SEES_LISTENERS && isLive(worker)) {
    await sleep(pauseMs, undefined, { ref: false });
    const lookMs = performance.now();
    await look(worker);
    const isSettling = worker.onlineAtMs === null || lookMs - worker.onlineAtMs < SLOW_MS;
    const longestMs = worker.listening.mayBegin ? SLOW_MS : RARE_MS;
    const nextMs = isSettling ? FAST_MS : Math.min(2 * pauseMs, longestMs);
    pauseMs = Math.max(nextMs, (performance.now() - lookMs) / MAX_SHARE);
  }
}

/** @param {readonly WorkerHandle[]} workers @returns when it is known what processes and threads below them listen on */
export async function lookBelow(workers) {
  await within(Promise.all(workers.map(look)), LOOK_MS);
}

/** @param {WorkerHandle} worker */
async function look(worker) {
  const { pid, child, launch, agent } = worker;
  if (!SEES_LISTENERS || !isLive(worker) || !child || pid === null || !agent) return;
  const found = await unsharedListenersOf(pid);
  const others = found.filter(
    ({ address }) => placeAt(address).port !== inspectorPort(child.spawnargs, launch.env),
  );
  if (!isLive(worker)) return;
  const { listening } = worker;
  const isNew = listening.noteBelow(others);
  listening.hasChildren = listening.addresses.length === 0 && (await descendantsOf(pid)).length > 0;
  if (!isNew) return;
  worker.emit('change');
  worker.readiness.look();
}

/** @param {WorkerHandle} worker */
function isLive({ isRunning, status }) {
  return isRunning && (status === 'starting' || status === 'online');
}

/** @param {WorkerHandle} worker @param {(listener: NewListener) => void} found */
export async function watchTree(worker, found) {
  while (SEES_LISTENERS && isSought(worker)) {
    const lookMs = performance.now();
    const addresses = await listenersOf(worker.pid ?? 0);
    if (!isSought(worker)) return;
    for (const { address } of addresses) found({ address, protocol: null, isChosen: false });
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
