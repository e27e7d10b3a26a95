/**
 * Spares: slots whose workers have loaded the program and listen, and get no connections where others do. When a worker
 * that serves no longer can, its slot and a spare one change places at once, and its next worker is the spare.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { channelTo } from '../../primary/worker/channel.js';
import { lookAtTrees } from '../../primary/worker/listeners.js';
import { chooseSpares } from './decide.js';

/**
 * @import { MakeFeature, Guard } from '../../primary/features.js'
 * @import { App } from '../../primary/pool/app.js'
 * @import { Slot } from '../../primary/pool/slot.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Candidate } from './decide.js'
 * @import { Spares as Record } from './record.js'
 */

/** @type {MakeFeature} */
export function spares(app, _directory, guard) {
  const own = new Spares(app, guard);
  app.pool.on('slot', own.look);
  // Before the pool forks the next one, which takes up to 200 ms.
  app.pool.on('worker', (worker) => worker.once('exit', own.look));
  app.pool.on('change', own.look);
  own.look();
  return { snapshot: () => own.snapshot };
}

class Spares {
  /** Why there can be none. @type {Record['refused']} */
  #refused;
  /** Of which a worker has shown what it listens on, since the app was stopped. @type {number | undefined} */
  #generation;
  /** Those that serve, or have until now. @type {WeakSet<Slot>} */
  #served = new WeakSet();
  /** Workers of which somebody looks what they listen on, and whether that is known. @type {WeakMap<WorkerHandle, boolean>} */
  #isKnown = new WeakMap();
  #app;

  /** @param {App} app @param {Guard} guard */
  constructor(app, guard) {
    this.#app = app;
    this.look = guard(() => this.#look());
  }

  get snapshot() {
    if (this.#app.launch.spec.spares === 0) return {};
    const ready = this.#app.pool.slotsOf().filter((slot) => slot.isSpare && this.#isFit(slot));
    return { spares: { refused: this.#refused, ready: ready.map(({ number }) => number) } };
  }

  #look() {
    const { pool, launch } = this.#app;
    const slots = pool.slotsOf();
    if (launch.spec.spares === 0 && !slots.some(({ isSpare }) => isSpare)) return;
    this.#choose(slots);
    const known = this.#knownOf(slots);
    if (known.length > 0 || !slots.some(({ isDesired }) => isDesired)) {
      this.#refused = known.map(refusalOf).find((why) => why !== undefined);
      this.#generation = known[0]?.generation;
    }
    for (const slot of slots) this.#hold(slot, known.length > 0);
  }

  /**
   * What listens on nothing may do what only one may do at a time, so the first spare waits until another worker listens.
   * @param {Slot} slot @param {boolean} isShown
   */
  #hold(slot, isShown) {
    const { isSpare, isDesired, workers, launch } = slot;
    const isKnown = isShown || (isDesired && launch.generation === this.#generation);
    const isEarly = workers.length === 0 && !isKnown;
    const isHeld = isSpare && (isEarly || this.#refused !== undefined);
    if ((slot.blocked === 'held') === isHeld) return;
    slot.blocked = isHeld ? 'held' : null;
    for (const worker of isHeld ? workers : []) worker.end({ drain: { idle: slot.idle } });
    this.#app.pool.changed();
  }

  /** @param {Slot[]} slots */
  #choose(slots) {
    const { pool, launch } = this.#app;
    const spare = chooseSpares(slots.map(this.#candidateOf), launch.spec.spares);
    const changing = slots.filter(({ number, isSpare }) => isSpare !== spare.has(number));
    const failed = changing.filter((slot) => this.#served.has(slot) && !this.#isFit(slot));
    for (const slot of changing) {
      slot.isSpare = !slot.isSpare;
      for (const worker of slot.workers) worker.noteCheck();
      if (slot.isSpare) continue;
      // What happened here before says nothing of the worker that serves.
      for (const exit of slot.exits) exit.isExcused = true;
      const { pid, generation } = slot.mainWorker ?? {};
      const reason = { kind: 'spare', slot: slot.number, pid };
      const event = { slot: failed.shift()?.number, pid, generation, reason };
      if (event.slot !== undefined) pool.emit('event', { type: 'worker.replaced', ...event });
    }
  }

  /** @param {Slot} slot @returns {Candidate} */
  #candidateOf = (slot) => {
    const { number, isSpare, isDesired, comesBack, launch, mainWorker, desiredWorker } = slot;
    const isFit = this.#isFit(slot);
    const isStopped = !isDesired && !comesBack;
    if (isSpare || isStopped) this.#served.delete(slot);
    else if (isFit) this.#served.add(slot);
    return {
      slot: number,
      isSpare,
      isFit,
      isStopped,
      isOnTrial: slot.trials > 0 && desiredWorker !== undefined,
      generation: mainWorker?.generation ?? null,
      replacedBy: [launch.generation, this.#app.launch.generation],
    };
  };

  /** @param {Slot} slot */
  #isFit({ isDesired, isSpare, previous, mainWorker }) {
    if (!isDesired || !mainWorker?.isReady) return false;
    // Without a command, a worker is replaced for something that it did.
    return isSpare ? mainWorker.listening.size > 0 : previous === null || this.#app.busy !== null;
  }

  /** @param {Slot[]} slots @returns those that serve, of which it is known what they listen on: somebody looks once they have stayed up */
  #knownOf(slots) {
    const workers = slots.filter(({ isSpare }) => !isSpare).flatMap((slot) => slot.workers);
    const online = workers.filter(({ status }) => status === 'online');
    for (const worker of online) if (!this.#isKnown.has(worker)) void this.#lookAt(worker);
    return online.filter((worker) => this.#isKnown.get(worker));
  }

  /** @param {WorkerHandle} worker */
  async #lookAt(worker) {
    this.#isKnown.set(worker, false);
    await sleep(worker.readiness.restMs, undefined, { ref: false });
    await lookAtTrees([{ workers: [worker] }]);
    this.#isKnown.set(worker, true);
    this.#app.pool.changed();
  }
}

/** @param {WorkerHandle} worker @returns {Record['refused']} why another one could not run beside it and be kept from serving */
function refusalOf({ listening, child }) {
  if (listening.below.length > 0) return 'below';
  if (child && channelTo(child).cluster.hasUdp) return 'udp';
  return listening.areShared === false ? 'silent' : undefined;
}
