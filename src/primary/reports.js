/** What daemons are told of an app: its state after every change, and what happens to its workers. */
import { lastLines } from '../lifecycle/cause.js';
import { json } from '../shared/checks.js';
import { machineMs } from '../shared/monotonic.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { PrimaryEvent, Snapshot } from '../protocol/methods.js'
 * @import { Progress, SlotState, WorkerStatus } from '../protocol/shapes.js'
 * @import { FeatureSlotState } from '../features/record.js'
 * @import { App } from './pool/app.js'
 * @import { WorkerPool } from './pool/pool.js'
 * @import { Slot } from './pool/slot.js'
 * @import { WorkerHandle } from './worker/handle.js'
 *
 * @typedef {(event: PrimaryEvent) => void} Send
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
  blockedSinceMs: null,
  stack: null,
  listening: [],
};

/** Small, plain data. @param {App} app @returns {Snapshot} */
export function snapshotOf(app) {
  const { pool, launch, previousWorkers, replacements, logs, sockets, features } = app;
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
    lastReplacement: replacements.last,
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
function truncateLines(lines) {
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
  const isWaiting =
    !mainWorker && slot.isDesired && !slot.blocked && slot.retryAtMs > performance.now();
  return {
    slot: number,
    status: statusOf(slot, isWaiting),
    restarts,
    emptiesFirst,
    beside,
    generation: slot.launch.generation,
    reason: reasonOf(slot),
    retryAtMs: isWaiting ? machineMs(slot.retryAtMs) : null,
    lastExit,
    earlierExits,
    ...(mainWorker ? stateOfWorker(mainWorker) : NO_WORKER),
    ...(slot.isSpare && slot.isDesired && { status: /** @type {const} */ ('spare') }),
  };
}

/** @param {WorkerHandle} worker */
function stateOfWorker({ pid, isReady, generation, startedMs, status, pulse, listening }) {
  const { blockedSinceMs, stack } = pulse;
  const isBlocked = status === 'online' && blockedSinceMs !== null;
  return {
    pid,
    isReady,
    generation,
    startedMs: machineMs(startedMs),
    ...(isBlocked && { status: /** @type {const} */ ('blocked') }),
    blockedSinceMs: isBlocked ? machineMs(blockedSinceMs) : null,
    stack: isBlocked ? stack : null,
    listening: listening.shown.slice(0, MAX_LISTENING),
  };
}

/** @param {Slot} slot @param {boolean} isWaiting for its next start @returns {WorkerStatus} */
function statusOf({ mainWorker, isDesired, isFailing, blocked }, isWaiting) {
  const status = mainWorker?.status ?? (isDesired ? (blocked ?? 'starting') : 'stopped');
  // After others have failed, the next one is not expected to do better.
  return isWaiting || (isFailing && status === 'starting') ? 'backoff' : status;
}

/** @param {Slot} slot */
function reasonOf({ mainWorker, isFailing, reason, exits: [last] }) {
  if (mainWorker?.status === 'online') return null;
  const before = isFailing && mainWorker?.status === 'starting' ? (last?.reason ?? null) : null;
  return mainWorker?.readiness.late ?? reason ?? before;
}

/** With the last lines of a dead worker an event may take some kilobytes. */
const MAX_BUFFERED_EVENTS = 500;

/** The latest events are buffered for the next daemon. */
export class EventFeed {
  /** @type {Send | null} */
  #send = null;
  /** @type {PrimaryEvent[]} */
  #buffer = [];
  #seq = 0;
  /** Pids whose start was sent; each command reports it again. @type {Set<number | null>} */
  #started = new Set();
  /** By slot: the exit whose last lines have not arrived, which is sent before what follows it. @type {Map<number | undefined, Promise<unknown>>} */
  #untold = new Map();
  /** What each program may still send, and how much was dropped since. @type {WeakMap<WorkerHandle, {take: ReturnType<typeof allowance>, dropped: number}>} */
  #budgets = new WeakMap();

  /** @param {WorkerPool} pool */
  constructor(pool) {
    pool.on('progress', (progress) => this.#onProgress(progress));
    pool.on('event', (event) => this.#publish(event));
    pool.on('reporting', (slot, told) => {
      this.#untold.set(slot, told);
      told.finally(() => this.#untold.get(slot) === told && this.#untold.delete(slot));
    });
    pool.on('message', (worker, message) => this.#onMessage(worker, message));
  }

  /**
   * @param {Send} send called at once with the buffered events
   * @param {number} after `seq` of the last one that it knows
   * @returns {() => void} disconnects it
   */
  connect(send, after) {
    this.#send = send;
    for (const event of this.#buffer) {
      if ((event.seq ?? 0) > after) send({ ...event, again: true });
    }
    return () => {
      if (this.#send === send) this.#send = null;
    };
  }

  /** @param {Progress} progress */
  #onProgress({ kind, ...rest }) {
    if (kind === 'rolling back') return this.#publish({ type: 'reload.rollback' });
    const { pid = null } = rest;
    if (kind === 'starting' && this.#started.has(pid)) return;
    if (kind === 'starting') this.#started.add(pid);
    const isFailure = kind === 'failed' || kind === 'exited';
    if (isFailure || kind === 'stopped') this.#started.delete(pid);
    // The event of a failure follows, with the last lines.
    if (!isFailure) this.#publish({ type: `worker.${kind}`, ...rest });
  }

  /** @param {WorkerHandle} worker @param {unknown} message */
  #onMessage(worker, message) {
    const content = readProgramEvent(message);
    if (content === null) return;
    const budget = this.#budgets.get(worker) ?? { take: allowance(50, 10), dropped: 0 };
    this.#budgets.set(worker, budget);
    const { slot, pid, generation } = worker;
    const event = { type: 'worker.event', at: Date.now(), slot, pid, generation, ...content };
    const nowMs = performance.now();
    const isTaken =
      budget.take(nowMs, 1) && takeBytes(nowMs, Buffer.byteLength(JSON.stringify(event)));
    if (isTaken) this.#send?.({ ...event, dropped: budget.dropped || undefined });
    budget.dropped = isTaken ? 0 : budget.dropped + 1;
  }

  /** @param {{type: string} & Partial<PrimaryEvent>} event */
  #publish({ type, at = Date.now(), ...rest }) {
    const untold = type === 'worker.exited' ? undefined : this.#untold.get(rest.slot);
    if (untold) return void untold.then(() => this.#publish({ type, at, ...rest }));
    this.#seq += 1;
    if (rest.lastLines) rest.lastLines = truncateLines(rest.lastLines);
    const event = { type, at, seq: this.#seq, ...rest };
    this.#buffer.push(event);
    if (this.#buffer.length > MAX_BUFFERED_EVENTS) this.#buffer.shift();
    this.#send?.(event);
  }
}

const MAX_NAME = 100;
/** In characters of JSON; a program may also send what is nested too deeply to be sent on. */
const isSmall = json(16_384);
/**
 * Null: it is not an event, or too large.
 * @param {any} message `{type: 'nodecluster:event', name, data}`, or what PM2's
 *   bus takes: `{type: 'process:msg', data}`, `{topic, data}`
 */
export function readProgramEvent(message) {
  if (typeof message !== 'object' || message === null) return null;
  const { name, data } = eventIn(message);
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return null;
  return isSmall(data) === null ? { name, data } : null;
}

/** @param {any} message an object @returns {{name: unknown, data: unknown}} */
function eventIn(message) {
  const { type, name, topic, data = null } = message;
  if (type === 'nodecluster:event') return { name, data };
  if (type === 'process:msg') return { name: type, data };
  const hasTopic = type === undefined && typeof topic === 'string' && 'data' in message;
  return { name: hasTopic && 'process:msg', data: { topic, data } };
}

/**
 * @param {number} burst at once
 * @param {number} perSecond after that
 * @returns {(nowMs: number, amount: number) => boolean} takes it, if that much is left
 */
function allowance(burst, perSecond) {
  let left = burst;
  let filledMs = -Infinity;
  return (nowMs, amount) => {
    left = Math.min(burst, left + ((nowMs - filledMs) / 1000) * perSecond);
    filledMs = nowMs;
    if (left < amount) return false;
    left -= amount;
    return true;
  };
}

/** Bytes of all workers: half of what the daemon reads, so that events do not cost its connection. */
const takeBytes = allowance(2 * 1024 * 1024, 128 * 1024);
