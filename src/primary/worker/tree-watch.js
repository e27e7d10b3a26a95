/**
 * What nobody reports: the ports of a worker without an agent and of its children, and those of processes and threads
 * below one that has an agent. Each look reads some files of /proc for each of its processes, so they become rare.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../shared/deadline.js';
import { placeAt } from '../../lifecycle/listening.js';
import { inspectorPort } from '../pool/launch.js';
import {
  descendantsOf,
  listenersOf,
  SEES_LISTENERS,
  servesWithoutTcp,
  unsharedListenersOf,
} from '../processes/tree.js';

/**
 * @import { WorkerHandle } from './handle.js'
 */

const FAST_MS = 250;
const SLOW_MS = 1000;
/** The longest wait for one. */
const LOOK_MS = 1000;
/** Between looks at a worker that has settled. */
const RARE_MS = 60_000;
/** The longest share of the time that the looks take. */
const MAX_SHARE = 0.05;

/** @param {WorkerHandle} worker */
export async function watchTree(worker) {
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

/** @param {readonly WorkerHandle[]} workers @returns when it is known what nobody reports of them */
export async function lookAtTrees(workers) {
  await within(Promise.all(workers.map(lookWell)), LOOK_MS);
}

/** @param {WorkerHandle} worker */
async function lookWell(worker) {
  await look(worker);
  const { pid, listening } = worker;
  if (!SEES_LISTENERS || pid === null || listening.addresses.length > 0) return;
  listening.mayServeUnseen = await servesWithoutTcp(pid).catch(() => true);
}

/** @param {WorkerHandle} worker */
async function look(worker) {
  const { pid, child, launch, agent, listening } = worker;
  if (!SEES_LISTENERS || !isLive(worker) || !child || pid === null) return;
  const all = await (agent ? unsharedListenersOf(pid) : listenersOf(pid));
  const found = all.filter(
    ({ address }) => placeAt(address).port !== inspectorPort(child.spawnargs, launch.env),
  );
  if (!isLive(worker)) return;
  if (!agent) {
    if (listening.noteAll(found)) worker.noteListening();
    return;
  }
  const isNew = listening.noteBelow(found);
  listening.hasChildren = listening.addresses.length === 0 && (await descendantsOf(pid)).length > 0;
  if (!isNew) return;
  worker.emit('change');
  worker.readiness.look();
}

/** @param {WorkerHandle} worker */
function isLive({ isRunning, status }) {
  return isRunning && (status === 'starting' || status === 'online');
}
