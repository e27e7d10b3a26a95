/**
 * What the daemon is told about the app after every change: plain data, small. Times of a worker
 * are the machine's monotonic ones; when something ended or was reloaded is a date.
 */
import { machineMs } from '../../shared/monotonic.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { PastExit, SlotState, WorkerStatus } from '../../protocol/shapes.js'
 * @import { App } from '../pool/app.js'
 * @import { Slot } from '../pool/slot.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/**
 * @param {App} app
 * @returns {Snapshot}
 */
export function snapshotOf(app) {
  const { pool, launch, busy, lastReload, reloads, previousWorkers } = app;
  const slots = [...pool.slots.values()].sort((one, other) => one.number - other.number);
  const shown = new Set();
  const rows = slots.map((slot) => {
    const worker = mainWorkerOf(slot, pool.workersOf(slot));
    shown.add(worker);
    return rowOf(slot, worker);
  });
  return {
    name: app.name,
    generation: launch.generation,
    mode: pool.mode,
    scheduling: launch.spec.scheduling,
    pid: process.pid,
    node: process.versions.node,
    spec: withoutEnvironment(launch.spec),
    busy,
    lastReload,
    reloads,
    logDroppedBytes: pool.logs.droppedBytes,
    logDropReason: pool.logs.dropReason,
    connectionsGivenUp: app.sockets?.givenUp ?? 0,
    slots: rows,
    retiring: [
      ...[...pool.workers.values()].filter((worker) => !shown.has(worker)),
      ...previousWorkers.alive.map((worker) => ({ ...worker, status: 'draining' })),
    ].map(({ slot, pid, status, generation }) => ({ slot, pid, status, generation })),
  };
}

/**
 * It may hold secrets and is large; the daemon has it anyway.
 * @param {Spec} spec
 * @returns {Snapshot['spec']}
 */
function withoutEnvironment({ env: _env, shellEnv: _shellEnv, ...spec }) {
  return spec;
}

/** @param {Slot} slot @param {WorkerHandle | undefined} worker @returns {SlotState} */
function rowOf(slot, worker) {
  const { number, restarts } = slot;
  const [lastExit = null, ...earlierExits] = slot.exits.map(brief);
  const common = { slot: number, restarts, lastExit, earlierExits };
  return worker
    ? { ...common, ...withWorker(slot, worker) }
    : { ...common, ...withoutWorker(slot) };
}

/**
 * A thousand workers' last lines must fit into one message.
 * @param {PastExit} exit
 */
function brief(exit) {
  return { ...exit, lastLines: exit.lastLines.slice(-10).map((line) => line.slice(0, 160)) };
}

/**
 * @param {Slot} slot
 * @param {WorkerHandle} worker
 * @returns {Omit<SlotState, 'slot' | 'restarts' | 'lastExit' | 'earlierExits'>}
 */
function withWorker(slot, worker) {
  const { pid, generation, pulse } = worker;
  const isBlocked = worker.status === 'online' && pulse.blockedSinceMs !== null;
  return {
    status: isBlocked ? 'unresponsive' : worker.status,
    pid,
    generation,
    startedMs: machineMs(worker.startedMs),
    retryAtMs: null,
    reason: worker.status === 'online' ? null : (worker.readiness.late ?? slot.reason),
    blockedSinceMs: isBlocked ? machineMs(pulse.blockedSinceMs ?? 0) : null,
    listening: [...worker.listening],
  };
}

/** @param {Slot} slot */
function withoutWorker(slot) {
  const isWaiting = slot.isDesired && !slot.blocked && slot.retryAtMs > performance.now();
  const retryAtMs = isWaiting ? machineMs(slot.retryAtMs) : null;
  const status = slot.blocked ?? statusOfEmpty(slot, isWaiting);
  const { generation } = slot.launch;
  const { reason } = slot;
  const nobody = { pid: null, startedMs: null, blockedSinceMs: null, listening: [] };
  return { status, generation, retryAtMs, reason, ...nobody };
}

/** @param {Slot} slot @param {boolean} isWaiting @returns {WorkerStatus} */
function statusOfEmpty(slot, isWaiting) {
  if (!slot.isDesired) return 'stopped';
  return isWaiting ? 'backoff' : 'starting';
}

/**
 * Of an old worker and its replacement, the one that serves is the one to show.
 * @param {Slot} slot
 * @param {WorkerHandle[]} workers
 */
function mainWorkerOf(slot, workers) {
  const online = workers.filter((worker) => worker.status === 'online');
  const isTarget = (/** @type {WorkerHandle} */ worker) =>
    worker.generation === slot.launch.generation;
  return online.find(isTarget) ?? online[0] ?? workers.find(isTarget) ?? workers[0];
}
