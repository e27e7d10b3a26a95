/**
 * What the workers of the app listen on: what is noteworthy now, what its next life must know, and whether
 * somebody serves there or soon will, which decides whether listening sockets stay open.
 */
import { noteListening } from '../../lifecycle/listening.js';
import { channelTo } from '../worker/channel.js';
import { SEES_LISTENERS } from '../processes/tree.js';
import { workerEnvironment } from './launch.js';

/**
 * @import { Prospect } from '../../lifecycle/listening.js'
 * @import { ListeningRecord, Note } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

/** Of an app. */
const MAX_ADDRESSES = 20;
/** What has been online for as long without a socket is no server. */
const NEVER_MS = 60_000;

/**
 * @param {readonly WorkerHandle[]} workers that are online
 * @returns {Map<WorkerHandle, Note>} what is noteworthy about them
 */
export function notesOf(workers) {
  /** @type {Map<Launch, string[]>} */
  const usual = new Map();
  for (const { launch, listening } of workers) {
    const before = usual.get(launch) ?? launch.usual;
    const others = listening.addresses.filter((address) => !before.includes(address));
    usual.set(launch, [...before, ...others].slice(0, MAX_ADDRESSES));
  }
  const noted = workers.map(
    (worker) => /** @type {const} */ ([worker, noteOf(worker, usual.get(worker.launch) ?? [])]),
  );
  return new Map(noted.flatMap(([worker, note]) => (note === null ? [] : [[worker, note]])));
}

/** @param {WorkerHandle} worker @param {readonly string[]} usual */
function noteOf(worker, usual) {
  const { listening, expected, readiness, launch, child } = worker;
  const servesUnseen = listening.mayServeUnseen || (child && channelTo(child).hasUdp);
  if (listening.addresses.length === 0 && servesUnseen) return null;
  return noteListening({
    listening: listening.addresses,
    mayListen: expected !== 'none' || !['unknown', 'silent', null].includes(readiness.sign),
    port: portOf(worker),
    usual,
    hasChildren: listening.hasChildren,
    script: SEES_LISTENERS ? launch.spec.script : null,
  });
}

/** @param {WorkerHandle} worker @returns {number | null} the PORT that the app sets for it */
function portOf({ launch, slot }) {
  if (!launch.spec.env.PORT) return null;
  const port = Number(workerEnvironment(launch, slot, '').PORT);
  return Number.isInteger(port) ? port : null;
}

/** @param {ListeningRecord | null} before @param {Launch} launch @param {WorkerPool} pool */
export function recordListening(before, launch, pool) {
  const workers = [...pool.workers.values()].filter(
    (worker) => worker.launch === launch && worker.status === 'online',
  );
  const notes = notesOf(workers);
  const own = workers.filter((worker) => !notes.has(worker));
  const addresses = [...new Set(own.flatMap(({ listening }) => [...listening.keys()]))];
  const nowMs = performance.now();
  const isSilent = workers.some(
    ({ listening, onlineAtMs }) =>
      listening.size === 0 && nowMs - (onlineAtMs ?? Infinity) >= NEVER_MS,
  );
  if (addresses.length === 0 && !isSilent) return before;
  return { input: launch.input, addresses: addresses.sort().slice(0, MAX_ADDRESSES) };
}

/** @param {WorkerPool} pool @returns {Prospect[]} */
export function prospectsOf(pool) {
  return pool.slotsOf().map((slot) => {
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
 * @param {readonly WorkerHandle[]} workers
 * @returns {number | null} how long the longest serving worker has served; null: none serves
 */
function servingMs(workers) {
  const since = workers
    .filter(({ status, child }) => status === 'online' && child?.connected)
    .filter(({ listenedAtMs }) => listenedAtMs !== null)
    .map(({ onlineAtMs, listenedAtMs }) => Math.max(onlineAtMs ?? 0, listenedAtMs ?? 0));
  return since.length > 0 ? performance.now() - Math.min(...since) : null;
}

/**
 * @param {WorkerPool} pool
 * @param {Slot} slot
 * @returns {boolean} whether its worker has listened since it came online, or must listen again and is not online yet
 */
export function hasClients(pool, slot) {
  const workers = pool.workersOf(slot);
  const isComing = slot.listensAgain && workers.every(({ onlineAtMs }) => onlineAtMs === null);
  return isComing || workers.some(({ listening }) => listening.haveServed);
}
