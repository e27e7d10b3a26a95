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
  retryAtMs: null,
  blockedSinceMs: null,
  stack: null,
  listening: [],
};

/** Small, plain data. @param {App} app @returns {Snapshot} */
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
  /** @type {WeakMap<WorkerHandle, EventBudget>} */
  #budgets = new WeakMap();

  /** @param {WorkerPool} pool */
  constructor(pool) {
    pool.on('progress', (progress) => this.#onProgress(progress));
    pool.on('event', (event) => this.#publish(event));
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
    const budget = this.#budgets.get(worker) ?? new EventBudget();
    this.#budgets.set(worker, budget);
    const { slot, pid, generation } = worker;
    const event = { type: 'worker.event', at: Date.now(), slot, pid, generation, ...content };
    const taken = budget.take(performance.now(), Buffer.byteLength(JSON.stringify(event)));
    if (taken !== null) this.#send?.({ ...event, dropped: taken.dropped || undefined });
  }

  /** @param {{type: string} & Partial<PrimaryEvent>} event */
  #publish({ type, ...rest }) {
    this.#seq += 1;
    if (rest.lastLines) rest.lastLines = truncateLines(rest.lastLines);
    const event = { type, at: Date.now(), seq: this.#seq, ...rest };
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

/** How much may still be sent. */
export class Allowance {
  #burst;
  #perSecond;
  #left;
  #filledMs = -Infinity;

  /** @param {number} burst at once @param {number} perSecond after that */
  constructor(burst, perSecond) {
    this.#burst = this.#left = burst;
    this.#perSecond = perSecond;
  }

  /** @param {number} nowMs monotonic @param {number} amount @returns {boolean} whether that much was left */
  take(nowMs, amount) {
    const earned = ((nowMs - this.#filledMs) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#burst, this.#left + earned);
    this.#filledMs = nowMs;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }
}

/** Bytes of all workers: half of what the daemon reads, so that events do not cost its connection. */
const ofPrimary = new Allowance(2 * 1024 * 1024, 128 * 1024);

/** Which events one worker may still send; others are dropped and counted. */
export class EventBudget {
  #own = new Allowance(50, 10);
  #dropped = 0;

  /**
   * @param {number} nowMs monotonic
   * @param {number} bytes
   * @param {Allowance} [shared] with other workers
   * @returns {{dropped: number} | null} dropped: how many were before this one; null: this one is too
   */
  take(nowMs, bytes, shared = ofPrimary) {
    if (!this.#own.take(nowMs, 1) || !shared.take(nowMs, bytes)) {
      this.#dropped += 1;
      return null;
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { dropped };
  }
}
