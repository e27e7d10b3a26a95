/** What the workers of the app listen on: what is noteworthy now, and what its next life must know. */
import { noteListening } from '../../lifecycle/listening.js';
import { workerEnvironment } from '../worker/environment.js';

/**
 * @import { ListeningRecord } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerPool } from './pool.js'
 */

/** Of an app. */
const MAX_ADDRESSES = 20;
/** What has been online for as long without a socket is no server. */
const NEVER_MS = 60_000;
const SHARES = 'shares its port, although it listens with exclusive: true';

/**
 * @param {readonly WorkerHandle[]} workers that are online
 * @returns {Map<WorkerHandle, string>} what is noteworthy about them
 */
export function notesOf(workers) {
  /** @type {Map<Launch, string[]>} */
  const usual = new Map();
  for (const { launch, listening } of workers) {
    const before = usual.get(launch) ?? launch.usual;
    const others = [...listening.keys()].filter((address) => !before.includes(address));
    usual.set(launch, [...before, ...others].slice(0, MAX_ADDRESSES));
  }
  const noted = workers.map(
    (worker) => /** @type {const} */ ([worker, noteOf(worker, usual.get(worker.launch) ?? [])]),
  );
  return new Map(noted.flatMap(([worker, note]) => (note === null ? [] : [[worker, note]])));
}

/**
 * @param {WorkerPool} pool
 * @param {readonly WorkerHandle[]} workers that are online
 * @returns {[WorkerHandle, string][]} what is said of them once in the life of the pool
 */
export function takeSharingNotes(pool, workers) {
  const sharing = pool.hasNotedSharing ? [] : workers.filter(({ agent }) => agent?.sharesExclusive);
  if (sharing.length > 0) pool.hasNotedSharing = true;
  return sharing.map((worker) => [worker, SHARES]);
}

/** @param {WorkerHandle} worker @param {readonly string[]} usual */
function noteOf(worker, usual) {
  const { listening, expected, readiness } = worker;
  return noteListening({
    listening: [...listening.keys()],
    mayListen: expected !== 'none' || ['server', 'none'].includes(readiness.sign ?? ''),
    port: portOf(worker),
    usual,
  });
}

/** @param {WorkerHandle} worker @returns {number | null} the PORT that the app sets for it */
function portOf({ launch, slot }) {
  if (!launch.spec.env.PORT) return null;
  const port = Number(workerEnvironment(launch, slot, '').PORT);
  return Number.isInteger(port) ? port : null;
}

/**
 * @param {ListeningRecord | null} before
 * @param {Launch} launch
 * @param {WorkerPool} pool
 */
export function recordListening(before, launch, pool) {
  const workers = [...pool.workers.values()].filter(
    (worker) => worker.launch === launch && worker.status === 'online',
  );
  const notes = notesOf(workers);
  const own = workers.filter((worker) => !notes.has(worker));
  const addresses = [...new Set(own.flatMap(({ listening }) => [...listening.keys()]))];
  const isSilent = workers.some(isSilentForLong);
  if (addresses.length === 0 && !isSilent) return before;
  return { input: launch.input, addresses: addresses.sort().slice(0, MAX_ADDRESSES) };
}

/** @param {WorkerHandle} worker */
function isSilentForLong({ listening, onlineAtMs }) {
  return listening.size === 0 && performance.now() - (onlineAtMs ?? Infinity) >= NEVER_MS;
}
