/**
 * All workers of the app. After every event it asks `nextSteps` what to do and does that; the
 * commands only change what is wanted.
 */
import { EventEmitter } from 'node:events';
import { nextSteps } from '../../lifecycle/rolling-plan.js';
import { hasSameInput } from './generation.js';
import { Slot } from './slot.js';
import { onFailure, onGivenUp } from './worker-failure.js';
import { WorkerHandle } from '../worker/worker-handle.js';

/**
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { View } from '../../lifecycle/rolling-plan.js'
 * @import { Launcher } from '../launchers/launched.js'
 * @import { AppLogs } from '../log/app-logs.js'
 * @import { Remains } from '../processes/previous.js'
 * @import { WorkerOrder } from '../worker/worker-order.js'
 * @import { Launch } from './generation.js'
 */

/**
 * @typedef {object} PoolOptions
 * @property {'cluster' | 'fork'} mode
 * @property {Launcher} launcher
 * @property {Remains} remains
 * @property {AppLogs} logs
 */

/**
 * Emits 'change', 'worker' (a new one), 'progress' with what happened to a worker, 'event' with what
 * nobody waits for, and 'message' (worker, what its program said).
 */
export class WorkerPool extends EventEmitter {
  /** @type {Map<number, Slot>} */
  slots = new Map();
  /** @type {Map<number, WorkerHandle>} */
  workers = new Map();
  /** Workers beyond the wanted number that may exist at a time. */
  maxSurge = 1;
  #hasBegun = false;
  /** For good: nothing is started any more, whatever is wanted. */
  isEnding = false;
  #nextKey = 1;
  #isScheduled = false;
  /** @type {NodeJS.Timeout | undefined} */
  #wakeTimer;

  /** @param {PoolOptions} options */
  constructor({ mode, launcher, remains, logs }) {
    super();
    this.mode = mode;
    this.launcher = launcher;
    this.remains = remains;
    this.logs = logs;
  }

  /**
   * @param {number} number
   * @param {Launch} launch
   * @returns {Slot} that slot, made if it is not there
   */
  slot(number, launch) {
    const slot = this.slots.get(number) ?? new Slot(number, launch);
    this.slots.set(number, slot);
    return slot;
  }

  /**
   * @param {number} number
   * @returns {WorkerHandle[]} all that are left of that slot, the newest last
   */
  workersOf(number) {
    return [...this.workers.values()].filter((worker) => worker.slot === number);
  }

  /**
   * @param {Slot} slot
   * @returns {boolean} a worker of what it should run is online
   */
  isOnTarget({ number, launch }) {
    return this.workersOf(number).some(
      (worker) => worker.status === 'online' && worker.generation === launch.generation,
    );
  }

  get onlineCount() {
    return [...this.workers.values()].filter((worker) => worker.status === 'online').length;
  }

  /** @returns {boolean} a slot is to have a worker again */
  get isSomebodyComing() {
    if (this.isEnding) return false;
    return [...this.slots.values()].some(
      (slot) => slot.comesBack || (slot.wanted && slot.blocked === null),
    );
  }

  /**
   * @param {Slot} slot
   * @returns {boolean} its worker listens, or is to do so again and has not come so far
   */
  hasClients({ number, listensAgain }) {
    const workers = this.workersOf(number);
    const isComing = listensAgain && workers.every((worker) => worker.onlineAtMs === null);
    return isComing || workers.some((worker) => worker.listening.size > 0);
  }

  /**
   * One that has never listened may still be about to. A worker whose channel has ended is dead,
   * though its exit may not have been heard of yet.
   * @returns {number | null} how long the worker that has served longest is online
   */
  get servingMs() {
    const since = [...this.workers.values()]
      .filter((worker) => worker.status === 'online' && worker.child?.connected)
      .filter((worker) => worker.listenedAtMs !== null)
      .map(({ onlineAtMs, listenedAtMs }) => Math.max(onlineAtMs ?? 0, listenedAtMs ?? 0));
    return since.length > 0 ? performance.now() - Math.min(...since) : null;
  }

  /** From now on the workers become what is wanted. */
  begin() {
    this.#hasBegun = true;
    this.changed();
  }

  /** Something is, or is wanted, otherwise than before. */
  changed() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#hasBegun) this.#reconcile();
      this.emit('change');
    });
  }

  /**
   * @template T
   * @param {() => T | null} look asked after every change
   * @returns {Promise<T>} the first answer that is not null
   */
  until(look) {
    return new Promise((resolve) => {
      const onChange = () => {
        const found = look();
        if (found === null) return;
        this.off('change', onChange);
        resolve(found);
      };
      this.on('change', onChange);
      this.changed();
    });
  }

  #reconcile() {
    let wakeAtMs = Infinity;
    for (const step of nextSteps(this.#view())) {
      if (step.do === 'start') this.#start(step.slot, step.replaces);
      else if (step.do === 'retire') this.#retire(step.key);
      else wakeAtMs = Math.min(wakeAtMs, step.atMs);
    }
    this.#wakeAt(wakeAtMs);
  }

  /** @returns {View} */
  #view() {
    const slots = [...this.slots.values()].map((slot) => ({
      slot: slot.number,
      wanted: slot.wanted && !this.isEnding,
      blocked: slot.blocked !== null,
      retryAtMs: slot.retryAtMs,
      target: slot.launch.generation,
    }));
    const workers = [...this.workers.values()];
    const { mode, maxSurge } = this;
    return { mode, maxSurge, nowMs: performance.now(), slots, workers };
  }

  /** @param {number} atMs */
  #wakeAt(atMs) {
    clearTimeout(this.#wakeTimer);
    if (atMs === Infinity) return;
    const inMs = Math.max(0, Math.ceil(atMs - performance.now()));
    this.#wakeTimer = setTimeout(() => this.changed(), inMs);
  }

  /**
   * @param {number} number
   * @param {boolean} replaces
   */
  #start(number, replaces) {
    const slot = /** @type {Slot} */ (this.slots.get(number));
    const { launch, previous } = slot;
    slot.reason = null;
    const isNew = previous !== null && previous.launch !== launch;
    const worker = new WorkerHandle({
      key: this.#nextKey++,
      slot: number,
      launch,
      expected: this.#expectedOf(slot),
      replaces: replaces || isNew,
      launcher: this.launcher,
      remains: this.remains,
      logs: this.logs,
    });
    this.workers.set(worker.key, worker);
    worker.on('change', () => this.changed());
    for (const name of ['progress', 'event']) {
      worker.on(name, (happening) => this.emit(name, happening));
    }
    worker.on('message', (message) => this.emit('message', worker, message));
    worker.once('given up', (how) => onGivenUp(this, worker, how));
    worker.once('gone', (exit) => this.#onGone(worker, exit));
    worker.start();
    this.emit('worker', worker);
    this.changed();
  }

  /**
   * @param {Slot} slot
   * @returns {WorkerOrder['expected']}
   */
  #expectedOf({ number, launch, listensAgain }) {
    const served = this.workersOf(number).find((worker) => worker.listening.size > 0);
    if (served) return hasSameInput(served.launch, launch) ? [...served.listening] : 'any';
    if (launch.hasListened) return 'any';
    return listensAgain ? 'again' : 'none';
  }

  /** @param {number} key */
  #retire(key) {
    const worker = /** @type {WorkerHandle} */ (this.workers.get(key));
    worker.retire({ idle: this.slots.get(worker.slot)?.idle ?? 'keep' });
  }

  /**
   * @param {WorkerHandle} worker
   * @param {Exit} exit
   */
  #onGone(worker, exit) {
    this.workers.delete(worker.key);
    const slot = this.slots.get(worker.slot);
    const { pid, generation, cut } = worker;
    if (slot && worker.onlineAtMs !== null) slot.listensAgain = false;
    if (slot && worker.failure !== null) onFailure(this, slot, worker, exit);
    else this.emit('progress', { kind: 'stopped', slot: worker.slot, pid, generation, cut });
    this.changed();
  }
}
