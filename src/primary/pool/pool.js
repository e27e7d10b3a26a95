/**
 * All workers of the app. After every change it carries out what `nextSteps` returns; commands only
 * change the desired state.
 */
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { nextSteps } from '../../lifecycle/rolling-plan.js';
import { WorkerHandle } from '../worker/handle.js';
import { onEarlyFailure, onFailedExit, Slot } from './slot.js';

/**
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { Step, View, WorkerView } from '../../lifecycle/rolling-plan.js'
 * @import { Services, WorkerOrder } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 */

/** On a busy machine a fork takes up to 200 ms, and meanwhile no connection is accepted. */
const MAX_FORKING_MS = 50;
/** For each core. Of more, the first one goes alone, so that they do not all fail alike. */
const MAX_BOOTING = 2;
const UNDRAINED = 'did not answer the request to drain, so its open connections were not counted';

/**
 * Emits 'change'; 'worker' (a new one); 'progress' (what happened to a worker); 'event' (what no
 * command waits for); 'message' (worker, what its program sent); 'left-work' (worker, what its program leaves to a primary of its own, or null); 'replacement-failed' (slot, worker).
 */
export class WorkerPool extends EventEmitter {
  /** @type {Map<number, Slot>} */
  slots = new Map();
  /** @type {Map<number, WorkerHandle>} */
  workers = new Map();
  /** By the number of their slot, the newest last. @type {Map<number, WorkerHandle[]>} */
  #bySlot = new Map();
  /** How many workers a reload replaces at a time; 0: a quarter of them. */
  maxSurge = 0;
  /** Number of slots in which a reload tries an unproven version first. */
  maxUnproven = 1;
  /**
   * What the slots run in which another primary, that serves the same sockets, has a worker without a successor here.
   * To the rolling plan it is an old one that is online. They really stop when all have a successor.
   * @type {Map<number, Launch>}
   */
  predecessors = new Map();
  /** Dead workers, of which processes are left. @type {Set<WorkerHandle>} */
  #leaving = new Set();
  /** The app is shutting down: no worker is started any more, whatever is desired. */
  isEnding = false;
  #hasStarted = false;
  /** A worker was online, has failed or is late: there is nothing to learn from waiting for it. */
  #isTried = false;
  #nextKey = 1;
  #isScheduled = false;
  /** @type {NodeJS.Timeout | undefined} */
  #wakeTimer;

  /** @param {'cluster' | 'fork'} mode @param {Services} services */
  constructor(mode, services) {
    super();
    this.mode = mode;
    this.services = services;
  }

  /** @param {number} number @param {Launch} launch */
  addSlot(number, launch) {
    const slot = new Slot(number, launch);
    this.slots.set(number, slot);
    return slot;
  }

  /** @param {readonly number[]} [numbers] default: all */
  slotsOf(numbers) {
    const slots = [...this.slots.values()];
    return numbers ? slots.filter(({ number }) => numbers.includes(number)) : slots;
  }

  /** @param {WorkerHandle} worker */
  add(worker) {
    this.workers.set(worker.key, worker);
    this.#bySlot.set(worker.slot, [...this.workersOf({ number: worker.slot }), worker]);
  }

  /** @param {WorkerHandle} worker */
  remove({ key, slot }) {
    this.workers.delete(key);
    const others = this.workersOf({ number: slot }).filter((worker) => worker.key !== key);
    this.#bySlot.set(slot, others);
  }

  /** @param {{number: number}} slot @returns {readonly WorkerHandle[]} all that exist in that slot, the newest last */
  workersOf({ number }) {
    return this.#bySlot.get(number) ?? [];
  }

  /** @param {Slot} slot @returns {WorkerHandle | undefined} one that runs its launch, online */
  desiredWorkerOf(slot) {
    return this.workersOf(slot).find(
      ({ status, launch }) => status === 'online' && launch === slot.launch,
    );
  }

  /** @param {Slot} slot */
  hasDesiredWorker(slot) {
    return this.desiredWorkerOf(slot) !== undefined;
  }

  /**
   * @param {Slot} slot
   * @returns {WorkerHandle | undefined} of an old worker and its replacement, the one that serves
   */
  mainWorkerOf(slot) {
    const workers = this.workersOf(slot);
    const online = workers.filter(({ status }) => status === 'online');
    const isDesired = (/** @type {WorkerHandle} */ { launch }) => launch === slot.launch;
    return online.find(isDesired) ?? online[0] ?? workers.find(isDesired) ?? workers[0];
  }

  get readyCount() {
    return [...this.workers.values()].filter(({ isReady }) => isReady).length;
  }

  /** From now on the actual state follows the desired one. */
  start() {
    this.#hasStarted = true;
    this.changed();
  }

  /** Actual or desired state changed. */
  changed() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#hasStarted) this.#reconcile();
      this.emit('change');
    });
  }

  /** @param {() => boolean} condition checked after every change @returns {Promise<void>} when it is true */
  until(condition) {
    return new Promise((resolve) => {
      const onChange = () => {
        if (!condition()) return;
        this.off('change', onChange);
        resolve();
      };
      this.on('change', onChange);
      this.changed();
    });
  }

  #reconcile() {
    let wakeAtMs = Infinity;
    const endMs = performance.now() + MAX_FORKING_MS;
    for (const step of nextSteps(this.#view())) {
      if (step.do === 'retire') this.#retire(step.key);
      else if (step.do !== 'start') wakeAtMs = Math.min(wakeAtMs, step.atMs);
      else if (performance.now() < endMs) this.#start(step);
      // In the next turn of the event loop.
      else this.changed();
    }
    this.#wakeAt(wakeAtMs);
  }

  /** @returns {View} */
  #view() {
    const { maxSurge, maxUnproven } = this;
    const slots = [...this.slots.values()].map((slot) => ({
      slot: slot.number,
      isDesired: slot.isDesired && !this.isEnding,
      emptiesFirst: this.emptiesFirst(slot),
      blocked: slot.blocked !== null,
      isUnproven: slot.isUnproven,
      isOnTrial: slot.isOnTrial,
      retryAtMs: slot.retryAtMs,
      workers: this.#viewOf(slot),
    }));
    const maxBooting = MAX_BOOTING * availableParallelism();
    const startsAlone = this.#startsAlone(maxBooting);
    const nowMs = performance.now();
    return { maxSurge, maxUnproven, startsAlone, maxBooting, nowMs, slots };
  }

  /**
   * In fork mode two workers could not share a port. A worker that listens on nothing has nothing to keep
   * served, and may do what only one may do at a time: a bot, a consumer, the holder of a lock.
   * @param {Slot} slot
   * @returns {boolean} whether its worker must have exited before another one starts
   */
  emptiesFirst(slot) {
    if (this.mode === 'fork') return true;
    const known = this.workersOf(slot)
      .map(({ listening }) => listening.areShared)
      .filter((is) => is !== null);
    // Until another one is online, what is known of the last one holds.
    if (known.length > 0) slot.emptiesFirst = !known.includes(true);
    return slot.emptiesFirst && !this.predecessors.has(slot.number);
  }

  /** @param {Slot} slot @returns {WorkerView[]} */
  #viewOf(slot) {
    const workers = this.workersOf(slot).map(({ key, status, readiness, launch }) => {
      return { key, status, isBooting: readiness.isBooting, isCurrent: launch === slot.launch };
    });
    for (const { key, slot: number } of this.#leaving) {
      if (number === slot.number)
        workers.push({ key, status: 'stopping', isBooting: false, isCurrent: false });
    }
    const predecessor = this.predecessors.get(slot.number);
    if (!predecessor) return workers;
    const key = predecessorKey(slot.number);
    return [...workers, { key, status: 'online', isCurrent: predecessor === slot.launch }];
  }

  /** @param {number} maxBooting */
  #startsAlone(maxBooting) {
    const [slots, workers] = [[...this.slots.values()], [...this.workers.values()]];
    this.#isTried ||=
      slots.some(({ failedAtMs, blocked }) => failedAtMs !== null || blocked !== null) ||
      workers.some(({ onlineAtMs, readiness }) => onlineAtMs !== null || readiness.late !== null);
    const desired = slots.filter(({ isDesired }) => isDesired).length;
    return !this.#isTried && desired > maxBooting;
  }

  /** @param {number} atMs */
  #wakeAt(atMs) {
    clearTimeout(this.#wakeTimer);
    if (atMs === Infinity) return;
    const inMs = Math.max(0, Math.ceil(atMs - performance.now()));
    this.#wakeTimer = setTimeout(() => this.changed(), inMs);
  }

  /** @param {Extract<Step, {do: 'start'}>} step */
  #start({ slot: number, replaces, mustStayUp }) {
    const slot = /** @type {Slot} */ (this.slots.get(number));
    const { launch, previous } = slot;
    slot.reason = null;
    const order = {
      key: this.#nextKey++,
      slot: number,
      launch,
      expected: this.#expectedOf(slot),
      after: slot.startsAfter,
      replaces: replaces || (previous !== null && previous.launch !== launch),
      mustStayUp,
    };
    const worker = new WorkerHandle(order, this.services);
    this.add(worker);
    this.#follow(worker);
    worker.once('started', () => {
      if (worker.pid !== null) slot.noteStart();
      this.emit('worker', worker);
      this.changed();
    });
    worker.start();
  }

  /** @param {WorkerHandle} worker */
  #follow(worker) {
    worker.on('change', () => this.changed());
    worker.on('progress', (progress) => this.emit('progress', progress));
    worker.on('event', (event) => this.emit('event', event));
    worker.on('message', (message) => this.emit('message', worker, message));
    worker.on('left-work', (note) => this.emit('left-work', worker, note));
    worker.once('failed', (how) => onEarlyFailure(this.slots.get(worker.slot), worker, how, this));
    worker.once('exit', (exit) => this.#onExit(worker, exit));
  }

  /** @param {Slot} slot @returns {WorkerOrder['expected']} */
  #expectedOf(slot) {
    const { launch, listensAgain, expects } = slot;
    if (expects !== null) return expects;
    const workers = this.workersOf(slot);
    const server = workers.find(({ listening }) => listening.haveServed);
    if (server) {
      const { expected } = server.listening;
      return server.launch.input === launch.input && expected.length > 0 ? expected : 'any';
    }
    if (launch.hasListened) return 'any';
    if (listensAgain) return 'again';
    // One of what the old worker listens on was opened only when somebody asked for it.
    const listens = workers.some(
      ({ status, listening }) => status === 'online' && listening.size > 0,
    );
    return listens || (launch.listens && !workers.some(hasStayedSilent)) ? 'likely' : 'none';
  }

  /** @param {number} key */
  #retire(key) {
    const worker = this.workers.get(key);
    if (worker) {
      const slot = this.slots.get(worker.slot);
      if (slot?.previous && worker.status === 'online') slot.expects ??= this.#expectedOf(slot);
      worker.end({ drain: { idle: slot?.idle ?? 'keep' } });
      return;
    }
    this.predecessors.delete(predecessorKey(key));
    this.changed();
  }

  /** @param {WorkerHandle} worker @param {Exit} exit */
  #onExit(worker, exit) {
    this.remove(worker);
    const slot = this.slots.get(worker.slot);
    if (slot && worker.onlineAtMs !== null) slot.listensAgain = false;
    if (worker.failure !== null) this.#waitForStrays(worker);
    if (slot && worker.failure !== null) {
      onFailedExit(slot, worker, exit, this);
    } else {
      const { slot: number, pid, generation, closedConnections: cut } = worker;
      const { left = [], killed } = worker.departure ?? {};
      const drained = cut === null ? { reason: UNDRAINED } : { cut };
      if (left.length > 0) drained.reason = `ended with it: ${left.join(', ')}`;
      const how = { slot: number, pid, generation, ...drained, killed };
      this.emit('progress', { kind: 'stopped', ...how });
    }
    this.changed();
  }

  /** What a dead worker has left may still have its port. @param {WorkerHandle} worker */
  async #waitForStrays(worker) {
    this.#leaving.add(worker);
    await worker.cleanedUp;
    this.#leaving.delete(worker);
    this.changed();
  }
}

/** A bot with a PORT that it does not use. @param {WorkerHandle} worker */
function hasStayedSilent({ status, uptimeMs, listening, launch }) {
  return (
    status === 'online' &&
    listening.areShared === false &&
    listening.below.length === 0 &&
    uptimeMs > launch.spec.listenTimeoutMs
  );
}

/** @param {number} slot @returns {number} a key that no worker of this primary has; of that key, the slot */
function predecessorKey(slot) {
  return -1 - slot;
}
