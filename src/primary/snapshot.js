/** The state of the app that the daemon receives after every change: small, plain data. */
import { lastLines } from '../lifecycle/cause.js';
import { machineMs } from '../shared/monotonic.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { Snapshot } from '../protocol/methods.js'
 * @import { SlotState, WorkerStatus } from '../protocol/shapes.js'
 * @import { FeatureSlotState } from '../features/record.js'
 * @import { App } from './pool/app.js'
 * @import { Slot } from './pool/slot.js'
 * @import { WorkerHandle } from './worker/handle.js'
 */

/** Addresses of a worker; each may be some hundred bytes long. */
const MAX_LISTENING = 100;
/** Of what a worker wrote last. */
const LINES = 10;
/** Of them, those in which a long error begins. */
const HEAD = 5;
const NO_WORKER = {
  pid: null,
  isReady: false,
  startedMs: null,
  retryAtMs: null,
  blockedSinceMs: null,
  stack: null,
  listening: [],
};

/** @param {App} app @returns {Snapshot} */
export function snapshotOf(app) {
  const { pool, launch, previousWorkers, logs, sockets, features } = app;
  const slots = pool.slotsOf().sort((one, other) => one.number - other.number);
  const others = slots.flatMap((slot) => slot.workers.filter((each) => each !== slot.mainWorker));
  return {
    name: app.name,
    generation: launch.generation,
    mode: launch.spec.execMode,
    node: process.versions.node,
    spec: withoutEnvironment(launch.spec),
    busy: app.busy,
    ...features.snapshot,
    lastReload: app.lastReload,
    lastReplacement: app.lastReplacement,
    leftWork: launch.leftWork,
    reloads: app.reloads,
    logDroppedBytes: logs.droppedBytes,
    logDropReason: logs.dropReason,
    connectionsGivenUp: sockets.queues.givenUp,
    listeningRecord: app.listeningRecord,
    slots: slots.map((slot) => ({ ...stateOf(slot), ...slot.mainWorker?.parts.fields() })),
    retiring: [...others, ...previousWorkers.alive].flatMap(({ pid }) => pid ?? []),
  };
}

/** The environment may hold secrets and is large; the daemon has it anyway. @param {Spec} spec */
function withoutEnvironment({ env: _env, shellEnv: _shellEnv, ...spec }) {
  return spec;
}

/** The last lines of a thousand workers must fit into one message. @param {string[]} lines */
export function truncateLines(lines) {
  const shown = lastLines(lines, LINES, HEAD, () => '…');
  return shown.map((line) => (line.length > 160 ? `${line.slice(0, 159)}…` : line));
}

/** @param {Slot} slot @returns {Omit<SlotState, keyof FeatureSlotState>} */
function stateOf(slot) {
  const { number, restarts, exits, emptiesFirst, mainWorker, workers } = slot;
  const [lastExit = null, ...earlierExits] = exits.map((exit) => ({
    ...exit,
    lastLines: truncateLines(exit.lastLines),
  }));
  const beside = workers
    .filter((each) => each !== mainWorker && each.status === 'online')
    .flatMap(({ pid }) => pid ?? []);
  const state = mainWorker ? stateOfWorker(slot, mainWorker) : stateOfEmpty(slot);
  return { slot: number, restarts, emptiesFirst, beside, lastExit, earlierExits, ...state };
}

/** @param {Slot} slot @param {WorkerHandle} worker */
function stateOfWorker(slot, worker) {
  const { pid, generation, pulse, status } = worker;
  const isBlocked = status === 'online' && pulse.blockedSinceMs !== null;
  // After others have failed, it is not expected to do better.
  const isRetry = slot.isFailing && status === 'starting';
  /** @type {WorkerStatus} */
  const shown = isBlocked ? 'unresponsive' : isRetry ? 'backoff' : status;
  return {
    ...NO_WORKER,
    status: shown,
    pid,
    isReady: worker.isReady,
    generation,
    startedMs: machineMs(worker.startedMs),
    reason: reasonOf(slot, worker),
    blockedSinceMs: isBlocked ? machineMs(pulse.blockedSinceMs ?? 0) : null,
    stack: isBlocked ? pulse.stack : null,
    listening: worker.listening.shown.slice(0, MAX_LISTENING),
  };
}

/** @param {Slot} slot @param {WorkerHandle} worker */
function reasonOf({ isFailing, reason, exits: [last] }, { status, readiness }) {
  if (status === 'online') return null;
  const before = isFailing && status === 'starting' ? (last?.reason ?? null) : null;
  return readiness.late ?? reason ?? before;
}

/** @param {Slot} slot */
function stateOfEmpty({ isDesired, blocked, isFailing, retryAtMs, reason, launch }) {
  const isWaiting = isDesired && !blocked && retryAtMs > performance.now();
  const isDue = isWaiting || isFailing ? 'backoff' : 'starting';
  /** @type {WorkerStatus} */
  const status = blocked ?? (isDesired ? isDue : 'stopped');
  return {
    ...NO_WORKER,
    status,
    generation: launch.generation,
    retryAtMs: isWaiting ? machineMs(retryAtMs) : null,
    reason,
  };
}
