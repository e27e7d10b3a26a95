/** One numbered place for a worker: its desired state, and what happened to its workers. */
import { once } from 'node:events';
import { causeOf } from '../../lifecycle/cause.js';
import {
  decideRestart,
  hasEnded,
  isExpectedExit,
  isResourceShortage,
  recentDeaths,
} from '../../lifecycle/restart-policy.js';

/**
 * @import { PastExit, Progress, SlotFailure } from '../../protocol/shapes.js'
 * @import { Death, Exit } from '../../lifecycle/restart-policy.js'
 * @import { Predecessor, WorkerHandle, WorkerOrder } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerPool } from './pool.js'
 */

export const MAX_EXITS = 5;

export class Slot {
  isDesired = true;
  /** It is stopped only for a restart. */
  comesBack = false;
  /** Why only a command starts it again. @type {'errored' | 'exited' | null} */
  blocked = null;
  /** Why its worker is not online. @type {string | null} */
  reason = null;
  /** Monotonic time in milliseconds before which it must not start. */
  retryAtMs = 0;
  /** How often a worker was started again after an exit that nobody asked for. */
  restarts = 0;
  /** Its last start failed, or its workers exit again and again: not online yet, it is in backoff. */
  isFailing = false;
  /** A worker failed, and no command has reported that yet. */
  hasFailed = false;
  /** When its last worker failed, on the monotonic clock. @type {number | null} */
  failedAtMs = null;
  /** Unexpected exits, the latest first. @type {PastExit[]} */
  exits = [];
  /** Resolves when the last lines have arrived. @type {Promise<SlotFailure> | null} */
  lastFailure = null;
  /** What its last failure said when it happened. @type {Progress | null} */
  failureReport = null;
  /** Before the current reload. @type {Pick<Slot, 'launch' | 'blocked' | 'reason'> | null} */
  previous = null;
  /** Its worker must have exited before another one starts: see WorkerPool. */
  emptiesFirst;
  /**
   * What its next worker must listen on, noted before the one that it replaces was stopped.
   * @type {WorkerOrder['expected'] | null}
   */
  expects = null;
  /** Its worker listened before a restart, so clients wait for the next one to listen. */
  listensAgain = false;
  /** What its retiring workers do with connections without a request. @type {'keep' | 'close'} */
  idle = 'keep';
  /** @type {readonly Death[]} */
  #deaths = [];
  /** What its last worker did, if that is why the next one starts. @type {Predecessor | null} */
  startsAfter = null;
  #isRestartDue = false;

  /** @param {number} number @param {Launch} launch */
  constructor(number, launch) {
    this.number = number;
    this.launch = launch;
    // What has never listened keeps nothing served.
    this.emptiesFirst = !launch.listens && !launch.hasListened;
  }

  /**
   * A worker is desired, and the pool will start it. Earlier failures no longer count.
   * @param {Launch} launch what it runs from now on
   */
  setRunning(launch) {
    this.isDesired = true;
    this.comesBack = false;
    this.idle = 'keep';
    this.blocked = null;
    this.reason = null;
    this.hasFailed = false;
    this.retryAtMs = 0;
    this.listensAgain = false;
    this.isFailing = false;
    this.startsAfter = null;
    this.#isRestartDue = false;
    this.#deaths = [];
    this.launch = launch;
  }

  /** Ends the delay before the next restart. What failed earlier was reported, or is history. */
  retryNow() {
    this.hasFailed = false;
    this.retryAtMs = 0;
  }

  /**
   * No worker is desired, and the pool will stop those that run.
   * @param {'keep' | 'close'} idle
   * @param {{comesBack?: boolean}} [then]
   */
  setStopped(idle, { comesBack = false } = {}) {
    this.isDesired = false;
    this.comesBack = comesBack;
    this.idle = idle;
    this.blocked = null;
    this.reason = null;
  }

  /**
   * @param {Launch} launch
   * @param {string | null} [how] what its worker did, if that is why, in words that follow 'it'
   */
  beginReload(launch, how = null) {
    const { blocked, reason } = this;
    this.endReload();
    this.previous = { launch: this.launch, blocked, reason };
    this.setRunning(launch);
    this.startsAfter = how === null ? null : { how, fault: null };
  }

  /** Whether a reload gives it something to run of which no worker has stayed up yet. */
  get isUnproven() {
    return this.previous !== null && !this.launch.isProven;
  }

  /** Whether its worker serves beside the old one until it is judged. */
  get isOnTrial() {
    return this.previous !== null && this.launch.isOnTrial;
  }

  /** The reload failed: the slot goes back to what it ran before. */
  revertReload() {
    if (!this.previous) return;
    this.launch = this.previous.launch;
    this.blocked = this.previous.blocked;
    if (this.blocked !== null) this.reason = this.previous.reason;
    this.hasFailed = false;
    this.endReload();
  }

  /** A death of its worker does not fail the reload from now on. */
  endReload() {
    this.previous = null;
    this.expects = null;
  }

  /** A worker of it has a process. */
  noteStart() {
    if (this.#isRestartDue) this.restarts += 1;
    this.#isRestartDue = false;
    this.startsAfter = null;
  }

  /** Resets the counters; a blocked slot stays blocked. */
  reset() {
    this.restarts = 0;
    this.#deaths = [];
  }

  /**
   * @param {WorkerHandle} worker that has failed
   * @param {Exit & Pick<PastExit, 'isBeside' | 'isEnd'>} exit
   * @returns {Promise<SlotFailure>} when its last lines have arrived
   */
  noteFailure({ failure, hasFailedEarly, uptimeMs, output }, exit) {
    const reason = /** @type {string} */ (failure);
    // If it is blocked, the restart policy has already given the reason.
    if (this.blocked === null) this.reason = reason;
    /** @type {PastExit} */
    const latest = {
      ...exit,
      reason,
      uptimeMs: Math.round(uptimeMs),
      at: Date.now(),
      cause: null,
      lastLines: [],
    };
    const earlier = this.exits.slice(0, MAX_EXITS - 1);
    for (const each of earlier) each.lastLines = [];
    this.exits = [latest, ...earlier];
    this.lastFailure = output.lastLines().then((lastLines) => {
      // Of one that was killed, the last lines say nothing about its end.
      const isItsOwn = exit.code || (exit.signal === 'SIGABRT' && !hasFailedEarly);
      const cause = isItsOwn ? causeOf(lastLines) : null;
      latest.cause = cause;
      if (this.exits[0] === latest) latest.lastLines = lastLines;
      const code = hasFailedEarly ? null : exit.code;
      const { fault, stdinEnded } = exit;
      return { slot: this.number, reason, fault, code, stdinEnded, lastLines };
    });
    return this.lastFailure;
  }

  /**
   * After a death outside of a reload: sets when the pool may restart the worker, or blocks it.
   * @param {Exit} exit
   * @param {number} startingMs duration of its failed start; 0: it had been online
   * @param {string} [how] what happened, in words that follow 'it'; default: the exit
   */
  noteDeath(exit, startingMs, how) {
    const { spec: policy } = this.launch;
    const nowMs = performance.now();
    const counts = !isResourceShortage(exit);
    const all = counts ? [...this.#deaths, { atMs: nowMs, startingMs }] : this.#deaths;
    const deaths = recentDeaths(all, nowMs, policy.restartWindowMs);
    this.#deaths = deaths;
    const decision = decideRestart({ policy, exit, how, deaths, nowMs, random: Math.random() });
    if (decision.action === 'restart') {
      this.isFailing = startingMs > 0 || deaths.length > 1;
      this.#isRestartDue ||= counts;
      const [last] = this.exits;
      this.startsAfter = how
        ? { how, fault: null }
        : { how: last.reason, fault: last.fault ?? null };
      this.retryAtMs = decision.delayMs > 0 ? nowMs + decision.delayMs : 0;
      return;
    }
    this.blocked = decision.action;
    this.reason = decision.reason;
  }
}

/** @typedef {Pick<WorkerPool, 'emit' | 'changed' | 'workersOf'>} Reporter of what the failure of a worker means for its slot */

/**
 * The worker hangs, or did not become ready, and is about to be ended. It counts as dead at once,
 * so the next worker waits only as long as the restart policy says.
 * @param {Slot | undefined} slot undefined: it was removed meanwhile
 * @param {WorkerHandle} worker
 * @param {string} how in words that follow 'it'
 * @param {Reporter} pool
 */
export function onEarlyFailure(slot, worker, how, pool) {
  if (!slot) return;
  // A command that reports the failure waits for the exit and its last lines.
  slot.lastFailure = once(worker, 'exit').then(
    () => /** @type {Promise<SlotFailure>} */ (slot.lastFailure),
  );
  judgeFailure(slot, worker, { code: null, signal: null }, pool, how);
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {Exit} exit @param {Reporter} pool */
export function onFailedExit(slot, worker, exit, pool) {
  const isBeside = isBesideOld(worker, slot, pool);
  const isShortage = isResourceShortage(exit);
  const isEnd = hasEnded(exit, worker.launch.hasListened);
  const why = {
    ...(isShortage && { isShortage }),
    ...(isBeside && { isBeside }),
    ...(isEnd && { isEnd }),
  };
  const noted = slot.noteFailure(worker, { ...exit, ...why });
  const [latest] = slot.exits;
  const { uptimeMs: durationMs } = latest;
  if (!worker.hasFailedEarly) judgeFailure(slot, worker, exit, pool);
  const failure = describeFailure(slot, worker, exit);
  const isErrored = isBlockedBy(slot, worker, 'errored');
  const { number, reason } = slot;
  noted.then(({ lastLines }) => {
    const { cause } = latest;
    const how = { ...failure, durationMs, ...(cause && { cause }) };
    pool.emit('event', { type: 'worker.exited', ...how, lastLines });
    const { fault } = failure;
    if (isErrored) pool.emit('event', { type: 'worker.errored', slot: number, reason, fault });
    pool.changed();
  });
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {Exit} exit @param {Reporter} pool @param {string} [how] */
function judgeFailure(slot, worker, exit, pool, how) {
  if (slot.launch === worker.launch) judgeDeath(slot, worker, exit, pool, how);
  // Before its replacement starts, so without the last lines.
  slot.failureReport = {
    kind: isBlockedBy(slot, worker, 'exited') ? 'exited' : 'failed',
    ...describeFailure(slot, worker, exit),
  };
  pool.emit('progress', slot.failureReport);
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {Exit} exit */
function describeFailure(slot, worker, exit) {
  const { pid, generation, failure, fault } = worker;
  const { code, signal } = exit;
  const reason = isBlockedBy(slot, worker, 'exited') ? slot.reason : failure;
  return { slot: slot.number, reason, fault, pid, generation, code, signal };
}

/**
 * A slot that a reload gives back may have been blocked before.
 * @param {Slot} slot
 * @param {WorkerHandle} worker that has exited
 * @param {Slot['blocked']} how exited: as expected
 * @returns {boolean} whether nothing runs there any more since that exit
 */
function isBlockedBy({ blocked, launch }, worker, how) {
  return blocked === how && launch === worker.launch;
}

/** @param {WorkerHandle} worker @param {Slot} slot @param {Reporter} pool @returns {boolean} whether one that it replaces still serves */
function isBesideOld(worker, slot, pool) {
  return pool.workersOf(slot).some(({ key, status }) => status === 'online' && key < worker.key);
}

/** @param {Slot} slot @param {WorkerHandle} worker @param {Exit} exit @param {Reporter} pool @param {string} [how] */
function judgeDeath(slot, worker, exit, pool, how) {
  slot.hasFailed = true;
  slot.failedAtMs = performance.now();
  const startingMs = worker.onlineAtMs === null ? worker.uptimeMs : 0;
  const isProven =
    worker.readiness.hasStayedUp && !slot.isOnTrial && !isBesideOld(worker, slot, pool);
  const hadDoneItsWork = slot.previous?.blocked === 'exited';
  const hasDoneItsWork = isExpectedExit(slot.launch.spec, exit);
  if ((hadDoneItsWork && hasDoneItsWork) || isProven) slot.endReload();
  // A worker that dies early fails the reload, which goes back to what ran before.
  if (slot.previous !== null) pool.emit('replacement-failed', slot, worker);
  else if (slot.isDesired) slot.noteDeath(exit, startingMs, how);
}
