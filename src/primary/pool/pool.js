/** All workers of the app. After every change it does what `nextSteps` returns; commands only change the desired state. */
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { nextSteps } from '../../lifecycle/rolling-plan.js';
import { WorkerHandle } from '../worker/handle.js';
import { predecessorKey, Slot } from './slot.js';

/**
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { Step } from '../../lifecycle/rolling-plan.js'
 * @import { Services, WorkerOrder } from '../worker/handle.js'
 * @import { Launch } from './launch.js'
 */

/** On a busy machine a fork takes up to 200 ms, and meanwhile no connection is accepted. */
const MAX_FORKING_MS = 50;
/** Workers for each core that boot at a time. */
const MAX_BOOTING = 2;

/**
 * Emits 'change'; 'worker' (a new one); 'progress'; 'event' (what no command waits for); 'message' (worker, what its
 * program sent); 'slot' (a new one); 'reload' (launch, params, a function that fails it), when each slot has what it will run;
 * 'replacement-failed' (slot, worker).
 */
export class WorkerPool extends EventEmitter {
  /** @type {Map<number, Slot>} */
  slots = new Map();
  /** How many workers a reload replaces at a time; 0: a quarter of them. */
  maxSurge = 0;
  /** The app is shutting down: no worker is started any more, whatever is desired. */
  isEnding = false;
  #hasStarted = false;
  #nextKey = 1;
  #isScheduled = false;
  /** @type {NodeJS.Timeout | undefined} */
  #wakeTimer;

  /** @param {Services} services */
  constructor(services) {
    super();
    // Each feature has one, and each command that waits.
    this.setMaxListeners(0);
    this.services = services;
  }

  /** @param {number} number @param {Launch} launch */
  addSlot(number, launch) {
    const slot = new Slot(number, launch, this);
    this.slots.set(number, slot);
    this.emit('slot');
    return slot;
  }

  /** @param {readonly number[]} [numbers] default: all */
  slotsOf(numbers) {
    const slots = [...this.slots.values()];
    return numbers ? slots.filter(({ number }) => numbers.includes(number)) : slots;
  }

  /** @param {readonly number[]} [numbers] of slots; default: all */
  workersIn(numbers) {
    return this.slotsOf(numbers).flatMap(({ workers }) => workers);
  }

  get workers() {
    return this.workersIn();
  }

  get online() {
    return this.workers.filter(({ status }) => status === 'online');
  }

  /** Slots that have a worker, or will have one again. */
  get coming() {
    const comes = (/** @type {Slot} */ { comesBack, isDesired, blocked }) =>
      comesBack || (isDesired && blocked === null);
    return this.isEnding ? [] : this.slotsOf().filter(comes);
  }

  /** Whether a worker may be about to. @param {number} settleMs after it online, a worker has opened all its sockets */
  mayListen(settleMs) {
    const untilMs = performance.now() - settleMs;
    return this.coming.some(({ workers }) => !workers.some((each) => servesSince(each) <= untilMs));
  }

  /** Those that get connections, once they are admitted. */
  get serving() {
    return this.online.filter(({ slot }) => this.slots.get(slot)?.isSpare !== true);
  }

  get readyCount() {
    return this.serving.filter(({ isReady }) => isReady).length;
  }

  /** From now on the actual state follows the desired one. */
  start() {
    this.#hasStarted = true;
    this.changed();
  }

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
    const { maxSurge, isEnding } = this;
    const views = this.slotsOf().map(({ view }) => view);
    const slots = isEnding ? views.map((view) => ({ ...view, isDesired: false })) : views;
    const maxBooting = MAX_BOOTING * availableParallelism();
    const nowMs = performance.now();
    const endMs = nowMs + MAX_FORKING_MS;
    for (const step of nextSteps({ maxSurge, maxBooting, nowMs, slots })) {
      if (step.do === 'retire') this.#retire(step.key);
      else if (performance.now() < endMs) this.#start(step);
      // In the next turn of the event loop.
      else this.changed();
    }
    const desired = slots.filter(({ isDesired }) => isDesired);
    const waitsMs = desired.map(({ retryAtMs }) => retryAtMs - nowMs).filter((ms) => ms > 0);
    clearTimeout(this.#wakeTimer);
    if (waitsMs.length === 0) return;
    this.#wakeTimer = setTimeout(() => this.changed(), Math.ceil(Math.min(...waitsMs)));
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
      expected: expectedOf(slot),
      after: slot.startsAfter,
      replaces: replaces || slot.isSpare || (previous !== null && previous.launch !== launch),
      mustStayUp,
    };
    const worker = new WorkerHandle(order, this.services);
    slot.workers = [...slot.workers, worker];
    this.#follow(worker, slot);
    worker.once('started', () => {
      if (worker.pid !== null) slot.noteStart();
      this.emit('worker', worker);
      this.changed();
    });
    worker.start();
  }

  /** @param {WorkerHandle} worker @param {Slot} slot */
  #follow(worker, slot) {
    worker.on('change', () => this.changed());
    worker.on('progress', (progress) => this.emit('progress', progress));
    worker.on('event', (event) => this.emit('event', event));
    worker.on('message', (message) => this.emit('message', worker, message));
    worker.once('proven', () => this.workers.forEach(({ readiness }) => readiness.look()));
    worker.once('failed', (reason) => slot.noteEarlyFailure(worker, reason));
    worker.once('exit', (exit) => this.#onExit(worker, slot, exit));
  }

  /** @param {number} key */
  #retire(key) {
    const worker = this.workers.find((each) => each.key === key);
    const slot = this.slots.get(worker?.slot ?? predecessorKey(key));
    if (worker && slot) {
      if (slot.previous && worker.status === 'online') slot.expects ??= expectedOf(slot);
      worker.end({ drain: { idle: slot.idle } });
    } else if (slot) {
      slot.predecessor = null;
      this.changed();
    }
  }

  /** @param {WorkerHandle} worker @param {Slot} slot @param {Exit} exit */
  #onExit(worker, slot, exit) {
    slot.workers = slot.workers.filter((each) => each !== worker);
    if (worker.onlineAtMs !== null) slot.listensAgain = false;
    if (worker.failure !== null) {
      this.#waitForStrays(worker, slot);
      slot.noteFailedExit(worker, exit);
    } else {
      const { pid, generation, closedConnections: cut } = worker;
      const { left = [], killed } = worker.departure ?? {};
      const undrained = cut === null ? { kind: 'undrained' } : undefined;
      const reason = left.length > 0 ? { kind: 'left', processes: left } : undrained;
      const how = { slot: slot.number, pid, generation, reason, cut: cut ?? undefined, killed };
      this.emit('progress', { kind: 'stopped', ...how });
    }
    this.changed();
  }

  /** What a dead worker has left may still have its port. @param {WorkerHandle} worker @param {Slot} slot */
  async #waitForStrays(worker, slot) {
    slot.leaving.add(worker);
    await worker.cleanedUp;
    slot.leaving.delete(worker);
    this.changed();
  }
}

/** @param {Slot} slot @returns {WorkerOrder['expected']} what its next worker must listen on to be online */
function expectedOf({ launch, listensAgain, expects, workers }) {
  if (expects !== null) return expects;
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
  return listens || launch.listens ? 'likely' : 'none';
}

/**
 * Infinity: it does not serve. One that has never listened may still do so, and one whose channel has closed is dead, though
 * its exit may not have been reported yet.
 * @param {WorkerHandle} worker
 */
function servesSince({ status, child, listenedAtMs, onlineAtMs }) {
  const serves = status === 'online' && child?.connected && listenedAtMs !== null;
  return serves ? Math.max(onlineAtMs ?? 0, listenedAtMs) : Infinity;
}
