/** The state of the app that the daemon receives after every change: small, plain data. */
import { lastErrorAt } from '../lifecycle/cause.js';
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

/** @param {App} app @returns {Snapshot} */
export function snapshotOf(app) {
  const { pool, launch, previousWorkers, logs, sockets, features } = app;
  const slots = [...pool.slots.values()].sort((one, other) => one.number - other.number);
  const shown = new Set();
  const states = slots.map((slot) => {
    const worker = pool.mainWorkerOf(slot);
    shown.add(worker);
    const beside = pool
      .workersOf(slot)
      .filter((each) => each !== worker && each.status === 'online');
    const pids = beside.flatMap(({ pid }) => pid ?? []);
    const emptiesFirst = pool.emptiesFirst(slot);
    return { ...stateOf(slot, worker), emptiesFirst, beside: pids, ...features.slot(worker) };
  });
  const others = [...pool.workers.values()].filter((worker) => !shown.has(worker));
  return {
    name: app.name,
    generation: launch.generation,
    mode: pool.mode,
    pid: process.pid,
    node: process.versions.node,
    spec: withoutEnvironment(launch.spec),
    busy: app.busy,
    ...features.snapshot,
    lastReload: app.lastReload,
    reloadBefore: app.reloadBefore,
    lastReplacement: app.lastReplacement,
    leftWork: launch.leftWork,
    reloads: app.reloads,
    logDroppedBytes: logs.droppedBytes,
    logDropReason: logs.dropReason,
    connectionsGivenUp: sockets.queues.givenUp,
    listeningRecord: app.listeningRecord,
    slots: states,
    retiring: [...others, ...previousWorkers.alive].flatMap(({ pid }) => pid ?? []),
  };
}

/** The environment may hold secrets and is large; the daemon has it anyway. @param {Spec} spec */
function withoutEnvironment({ env: _env, shellEnv: _shellEnv, ...spec }) {
  return spec;
}

/** The last lines of a thousand workers must fit into one message. @param {string[]} lines */
export function truncateLines(lines) {
  const from = lastErrorAt(lines);
  const isCut = from !== -1 && lines.length - from > LINES;
  // A long error says first what it is.
  const shown = isCut
    ? [...lines.slice(from, from + HEAD), '…', ...lines.slice(HEAD + 1 - LINES)]
    : lines.slice(-LINES);
  return shown.map((line) => (line.length > 160 ? `${line.slice(0, 159)}…` : line));
}

/** @param {Slot} slot @param {WorkerHandle | undefined} worker @returns {Omit<SlotState, 'emptiesFirst' | 'beside' | keyof FeatureSlotState>} */
function stateOf(slot, worker) {
  const { number, restarts, exits } = slot;
  const [lastExit = null, ...earlierExits] = exits.map((exit) => ({
    ...exit,
    lastLines: truncateLines(exit.lastLines),
  }));
  const state = worker ? stateWithWorker(slot, worker) : stateWithoutWorker(slot);
  return { slot: number, restarts, lastExit, earlierExits, ...state };
}

/** @typedef {Omit<SlotState, 'slot' | 'emptiesFirst' | 'beside' | 'restarts' | 'lastExit' | 'earlierExits' | keyof FeatureSlotState>} State */

/** @param {Slot} slot @param {WorkerHandle} worker @returns {State} */
function stateWithWorker(slot, worker) {
  const { pid, generation, pulse, status } = worker;
  const isBlocked = status === 'online' && pulse.blockedSinceMs !== null;
  // After others have failed, it is not expected to do better.
  const isRetry = slot.isFailing && status === 'starting';
  return {
    status: isBlocked ? 'unresponsive' : isRetry ? 'backoff' : status,
    pid,
    isReady: worker.isReady,
    generation,
    startedMs: machineMs(worker.startedMs),
    retryAtMs: null,
    reason: reasonOf(slot, worker),
    blockedSinceMs: isBlocked ? machineMs(pulse.blockedSinceMs ?? 0) : null,
    stack: isBlocked ? pulse.stack : null,
    listening: worker.listening.shown.slice(0, MAX_LISTENING),
    proxy: worker.agent?.proxy ?? null,
  };
}

/** @param {Slot} slot @param {WorkerHandle} worker */
function reasonOf({ isFailing, reason, exits }, { status, readiness }) {
  if (status === 'online') return null;
  const lastReason = isFailing && status === 'starting' ? exits[0]?.reason : null;
  return readiness.late ?? reason ?? lastReason ?? null;
}

/** @param {Slot} slot @returns {State} */
function stateWithoutWorker(slot) {
  const isWaiting = slot.isDesired && !slot.blocked && slot.retryAtMs > performance.now();
  return {
    status: slot.blocked ?? statusOfEmpty(slot, isWaiting),
    pid: null,
    isReady: false,
    generation: slot.launch.generation,
    startedMs: null,
    retryAtMs: isWaiting ? machineMs(slot.retryAtMs) : null,
    reason: slot.reason,
    blockedSinceMs: null,
    stack: null,
    listening: [],
    proxy: null,
  };
}

/** @param {Slot} slot @param {boolean} isWaiting @returns {WorkerStatus} */
function statusOfEmpty(slot, isWaiting) {
  if (!slot.isDesired) return 'stopped';
  return isWaiting || slot.isFailing ? 'backoff' : 'starting';
}
