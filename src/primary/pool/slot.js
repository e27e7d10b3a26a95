/** One numbered place for a worker: what is desired there, its workers, and what their failures mean. */
import { once } from 'node:events';
import { causeOf } from '../../lifecycle/cause.js';
import { exitedWell } from '../../lifecycle/exit.js';
import {
  decideRestart,
  isExpectedExit,
  isResourceShortage,
  recentDeaths,
} from '../../lifecycle/restart-policy.js';

/**
 * @import { PastExit, Progress, Reason, SlotFailure } from '../../protocol/shapes.js'
 * @import { Death, Exit } from '../../lifecycle/restart-policy.js'
 * @import { SlotView, WorkerView } from '../../lifecycle/rolling-plan.js'
 * @import { WorkerHandle, WorkerOrder } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 * @import { WorkerPool } from './pool.js'
 */

const MAX_EXITS = 5;

export class Slot {
  /** All that exist, the newest last. @type {readonly WorkerHandle[]} */
  workers = [];
  /** Dead ones, of which processes are left. @type {Set<WorkerHandle>} */
  leaving = new Set();
  /**
   * What another primary, that serves the same sockets, runs here: to the rolling plan an old worker that is online. It
   * really stops when all slots have a successor.
   * @type {Launch | null}
   */
  predecessor = null;
  isDesired = true;
  /** Its workers get no connections where others do, and whether it runs is not the app's concern. */
  isSpare = false;
  /** It is stopped only for a restart. */
  comesBack = false;
  /** Why only a command starts it again; held: none does, as it would do no good. @type {'errored' | 'exited' | 'held' | null} */
  blocked = null;
  /** Why its worker is not online. @type {Reason | null} */
  reason = null;
  /** Monotonic time in milliseconds before which it must not start. */
  retryAtMs = 0;
  /** How often a worker was started again after an exit that nobody asked for. */
  restarts = 0;
  /** Its last start failed, or its workers exit again and again: not online yet, it is in backoff. */
  isFailing = false;
  /** A worker failed, and no command has reported that yet. */
  hasFailed = false;
  /** Unexpected exits, the latest first. @type {PastExit[]} */
  exits = [];
  /** Resolves when the last lines have arrived. @type {Promise<SlotFailure> | null} */
  lastFailure = null;
  /** What its last failure said when it happened. @type {Progress | null} */
  failureReport = null;
  /** Before the current reload. @type {Pick<Slot, 'launch' | 'blocked' | 'reason'> | null} */
  previous = null;
  /** What its next worker must listen on, noted before the old one was stopped. @type {WorkerOrder['expected'] | null} */
  expects = null;
  /** Its worker listened before a restart, so clients wait for the next one to listen. */
  listensAgain = false;
  /** What its retiring workers do with connections without a request. @type {'keep' | 'close'} */
  idle = 'keep';
  /** @type {readonly Death[]} */
  #deaths = [];
  /** What its last worker did, if that is why the next one starts. @type {Reason | null} */
  startsAfter = null;
  #isRestartDue = false;
  #isUnshared;
  #pool;

  /** @param {number} number @param {Launch} launch @param {Pick<WorkerPool, 'emit' | 'changed'>} pool */
  constructor(number, launch, pool) {
    this.number = number;
    this.launch = launch;
    this.#pool = pool;
    // What has never listened keeps nothing served.
    this.#isUnshared = !launch.listens && !launch.hasListened;
  }

  /** One that runs its launch, online. */
  get desiredWorker() {
    return this.workers.find(({ status, launch }) => status === 'online' && launch === this.launch);
  }

  /** Of an old worker and its replacement, the one that serves. */
  get mainWorker() {
    const online = this.workers.filter(({ status }) => status === 'online');
    const isDesired = (/** @type {WorkerHandle} */ { launch }) => launch === this.launch;
    return online.find(isDesired) ?? online[0] ?? this.workers.find(isDesired) ?? this.workers[0];
  }

  /** Whether it does what it should, or has done so. */
  get isUp() {
    return this.blocked === 'exited' || this.desiredWorker !== undefined;
  }

  /**
   * Whether its worker must have exited before another one starts. In fork mode two could not share a port, and what listens
   * on nothing may do what only one may do at a time: a bot, a consumer, the holder of a lock.
   */
  get emptiesFirst() {
    if (this.launch.spec.execMode === 'fork') return true;
    const known = this.workers.map(({ listening }) => listening.areShared);
    // Until another one is online, what is known of the last one holds.
    if (known.some((is) => is !== null)) this.#isUnshared = !known.includes(true);
    return this.#isUnshared && this.predecessor === null;
  }

  /** @returns {SlotView} */
  get view() {
    const { number, isDesired, emptiesFirst, isUnproven, trials, retryAtMs, predecessor } = this;
    /** @type {WorkerView[]} */
    const workers = this.workers.map(({ key, status, readiness, launch }) => {
      const { isBooting, isProving } = readiness;
      return { key, status, isBooting, isProving, isCurrent: launch === this.launch };
    });
    for (const { key } of this.leaving) workers.push({ key, status: 'stopping', isCurrent: false });
    if (predecessor) {
      const isCurrent = predecessor === this.launch;
      workers.push({ key: predecessorKey(number), status: 'online', isCurrent });
    }
    const blocked = this.blocked !== null;
    const plan = { isDesired, emptiesFirst, blocked, isUnproven, trials, retryAtMs };
    return { slot: number, ...plan, workers };
  }

  /** A worker is desired, and the pool will start it. Earlier failures no longer count. @param {Launch} launch */
  setRunning(launch) {
    this.isDesired = true;
    this.comesBack = false;
    this.idle = 'keep';
    if (this.blocked !== 'held') this.blocked = null;
    this.reason = null;
    this.hasFailed = false;
    this.retryAtMs = 0;
    this.listensAgain = false;
    this.isFailing = false;
    this.startsAfter = null;
    this.#isRestartDue = false;
    this.#deaths = [];
    for (const exit of this.exits) exit.isExcused = true;
    this.launch = launch;
  }

  /** Ends the delay before the next restart. What failed earlier was reported, or is history. */
  retryNow() {
    this.hasFailed = false;
    this.retryAtMs = 0;
  }

  /** No worker is desired, and the pool will stop those that run. @param {'keep' | 'close'} idle */
  setStopped(idle, comesBack = false) {
    this.isDesired = false;
    this.comesBack = comesBack;
    this.idle = idle;
    this.blocked = null;
    this.reason = null;
  }

  /**
   * @param {Launch} launch
   * @param {Reason | null} [after] what its worker did, if that is why
   */
  beginReload(launch, after = null) {
    this.endReload();
    this.previous = { launch: this.launch, blocked: this.blocked, reason: this.reason };
    this.setRunning(launch);
    this.startsAfter = after;
  }

  /** Whether a reload gives it something to run of which no worker has stayed up yet. */
  get isUnproven() {
    return this.trials > 0 || (this.previous !== null && !this.launch.isProven);
  }

  /** Above 0: its worker serves beside the old one until it is judged. */
  get trials() {
    return this.previous === null || this.blocked === 'held' ? 0 : this.launch.trials;
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
   * The worker hangs, or did not become ready, and is about to be ended. It counts as dead at once, so that the next one
   * waits only for the restart policy.
   * @param {WorkerHandle} worker
   * @param {Reason} reason
   */
  noteEarlyFailure(worker, reason) {
    // A command that reports the failure waits for the exit and its last lines.
    this.lastFailure = once(worker, 'exit').then(
      () => /** @type {Promise<SlotFailure>} */ (this.lastFailure),
    );
    this.#judgeFailure(worker, { code: null, signal: null, reason });
  }

  /** @param {WorkerHandle} worker @param {Exit} exit */
  noteFailedExit(worker, exit) {
    this.lastFailure = this.#reportExit(worker, this.#noteExit(worker, exit));
    this.#pool.emit('reporting', this.number, this.lastFailure);
    if (!worker.hasFailedEarly) this.#judgeFailure(worker, exit);
  }

  /** @param {WorkerHandle} worker @param {Exit} exit @returns {PastExit} */
  #noteExit(worker, exit) {
    const { code, signal, reason } = exit;
    const hasDoneItsWork = exitedWell(reason) && !worker.launch.hasListened;
    const isExcused = hasDoneItsWork || isResourceShortage(exit) || this.#isBesideOld(worker);
    const latest = {
      code,
      signal,
      reason,
      isExcused: isExcused || undefined,
      uptimeMs: Math.round(worker.uptimeMs),
      at: Date.now(),
      cause: null,
      lastLines: [],
    };
    // If it is blocked, the restart policy has already given the reason.
    if (this.blocked === null) this.reason = reason;
    const earlier = this.exits.slice(0, MAX_EXITS - 1);
    for (const each of earlier) each.lastLines = [];
    this.exits = [latest, ...earlier];
    return latest;
  }

  /** @param {WorkerHandle} worker @param {PastExit} exit @returns {Promise<SlotFailure>} when its last lines have arrived */
  async #reportExit(worker, exit) {
    const { hasFailedEarly, output } = worker;
    const lastLines = await output.lastLines();
    // Of one that was killed, the last lines say nothing about its end.
    const isItsOwn = exit.code || (exit.signal === 'SIGABRT' && !hasFailedEarly);
    if (isItsOwn) exit.cause = causeOf(lastLines);
    if (this.exits[0] === exit) exit.lastLines = lastLines;
    const { at, cause, uptimeMs: durationMs } = exit;
    const said = { at, cause: cause ?? undefined, lastLines };
    const failure = this.#describe(worker, exit);
    this.#pool.emit('event', { type: 'worker.exited', ...failure, durationMs, ...said });
    const { number: slot } = this;
    // With why nothing starts it again.
    const final = this.#isBlockedBy(worker, 'errored') ? this.reason : null;
    if (final) this.#pool.emit('event', { type: 'worker.errored', slot, reason: final });
    this.#pool.changed();
    return { slot, reason: final ?? exit.reason, cause, lastLines };
  }

  /** @param {WorkerHandle} worker @param {Exit} exit */
  #judgeFailure(worker, exit) {
    if (this.launch === worker.launch) this.#noteDeath(worker, exit);
    // Before its replacement starts, so without the last lines.
    const kind = this.#isBlockedBy(worker, 'exited') ? 'exited' : 'failed';
    this.failureReport = { kind, ...this.#describe(worker, exit) };
    this.#pool.emit('progress', this.failureReport);
  }

  /** @param {WorkerHandle} worker @param {Exit} exit */
  #describe(worker, { code, signal }) {
    const { pid, generation, failure } = worker;
    const reason = this.#isBlockedBy(worker, 'exited') ? this.reason : failure;
    return { slot: this.number, reason, pid, generation, code, signal };
  }

  /**
   * Whether nothing runs there since that exit: a slot that a reload gives back may have been blocked before.
   * @param {WorkerHandle} worker
   * @param {Slot['blocked']} how exited: as expected
   */
  #isBlockedBy(worker, how) {
    return this.blocked === how && this.launch === worker.launch;
  }

  /** Whether one that it replaces still serves. @param {WorkerHandle} worker */
  #isBesideOld(worker) {
    return this.workers.some(({ key, status }) => status === 'online' && key < worker.key);
  }

  /** @param {WorkerHandle} worker that ran what the slot runs @param {Exit} exit */
  #noteDeath(worker, exit) {
    this.hasFailed = true;
    const isProven =
      worker.readiness.hasStayedUp && this.trials === 0 && !this.#isBesideOld(worker);
    const hadDoneItsWork = this.previous?.blocked === 'exited';
    const hasDoneItsWork = isExpectedExit(this.launch.spec, exit);
    if ((hadDoneItsWork && hasDoneItsWork) || isProven) this.endReload();
    // A worker that dies early fails the reload, which goes back to what ran before.
    if (this.previous !== null) this.#pool.emit('replacement-failed', this, worker);
    else if (this.isDesired) {
      this.#decideRestart(exit, worker.onlineAtMs === null ? worker.uptimeMs : 0);
    }
  }

  /**
   * When the pool may start another one, after a death outside of a reload.
   * @param {Exit} exit
   * @param {number} startingMs duration of its failed start; 0: it had been online
   */
  #decideRestart(exit, startingMs) {
    const { spec: policy } = this.launch;
    const nowMs = performance.now();
    const counts = !isResourceShortage(exit);
    const all = counts ? [...this.#deaths, { atMs: nowMs, startingMs }] : this.#deaths;
    const deaths = recentDeaths(all, nowMs, policy.restartWindowMs);
    this.#deaths = deaths;
    const decision = decideRestart({ policy, exit, deaths, nowMs, random: Math.random() });
    if (decision.action === 'restart') {
      this.isFailing = startingMs > 0 || deaths.length > 1;
      this.#isRestartDue ||= counts;
      this.startsAfter = exit.reason;
      this.retryAtMs = decision.delayMs > 0 ? nowMs + decision.delayMs : 0;
      return;
    }
    this.blocked = decision.action;
    this.reason = decision.reason;
  }
}

/** @param {number} slot @returns {number} a key that no worker of this primary has; of that key, the slot */
export function predecessorKey(slot) {
  return -1 - slot;
}
