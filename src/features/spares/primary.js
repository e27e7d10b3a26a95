/**
 * Spares: slots whose workers have loaded the program and listen, and get no connections where others do. When a worker
 * that serves no longer can, its slot and a spare one change places at once, and its next worker is the spare.
 */
import { channelTo } from '../../primary/worker/channel.js';
import { lookAtTrees } from '../../primary/worker/listeners.js';
import { chooseSpares } from './decide.js';

/**
 * @import { MakeFeature, Guard } from '../../primary/features.js'
 * @import { App } from '../../primary/pool/app.js'
 * @import { Slot } from '../../primary/pool/slot.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Candidate } from './decide.js'
 * @import { SpareRefusal } from './record.js'
 */

/** @type {MakeFeature} */
export function spares(app, _directory, guard) {
  const own = new Spares(app, guard);
  app.pool.on('slot', own.look);
  app.pool.on('change', own.look);
  own.look();
  return { snapshot: () => own.snapshot };
}

class Spares {
  /** Why there can be none. @type {SpareRefusal | undefined} */
  #refused;
  /** By slot, the generation of the last worker that was fit to serve there. @type {Map<number, number>} */
  #served = new Map();
  /** Workers of which somebody looks what they listen on, and whether that is known. @type {WeakMap<WorkerHandle, boolean>} */
  #isKnown = new WeakMap();
  /** @type {NodeJS.Timeout | undefined} until a worker has settled */
  #timer;
  #app;

  /** @param {App} app @param {Guard} guard */
  constructor(app, guard) {
    this.#app = app;
    this.look = guard(() => this.#look());
  }

  get snapshot() {
    const refused = this.#refused;
    return this.#count > 0 ? { spares: refused ? { refused } : {} } : {};
  }

  get #count() {
    const { execMode, spares } = this.#app.launch.spec;
    return execMode === 'cluster' ? (spares ?? 0) : 0;
  }

  #look() {
    const slots = this.#app.pool.slotsOf();
    if (this.#count === 0 && !slots.some(({ isSpare }) => isSpare)) return;
    this.#choose(slots);
    const known = this.#knownOf(slots);
    if (known.length > 0) this.#refused = known.map(refusalOf).find((why) => why !== undefined);
    for (const slot of slots) this.#holdBack(slot, known.length > 0);
  }

  /** @param {Slot[]} slots */
  #choose(slots) {
    const spare = chooseSpares(slots.map(this.#candidateOf), this.#count);
    for (const slot of slots) {
      if (slot.isSpare === spare.has(slot.number)) continue;
      slot.isSpare = !slot.isSpare;
      for (const worker of slot.workers) worker.noteCheck();
    }
  }

  /** @param {Slot} slot @returns {Candidate} */
  #candidateOf = (slot) => {
    const { number, isSpare, isDesired, comesBack, launch, mainWorker, desiredWorker } = slot;
    const isFit = mainWorker !== undefined && this.#isFit(slot, mainWorker);
    if (isFit && !isSpare) this.#served.set(number, mainWorker.generation);
    return {
      slot: number,
      isSpare,
      isFit,
      isStopped: !isDesired && !comesBack,
      isOnTrial: slot.trials > 0 && desiredWorker !== undefined,
      generation: mainWorker?.generation ?? null,
      replacedBy: [launch.generation, this.#served.get(number) ?? launch.generation],
    };
  };

  /** @param {Slot} slot @param {WorkerHandle} worker of it */
  #isFit({ isSpare, previous }, { isReady, listening }) {
    if (isSpare) return isReady && listening.size > 0;
    // Without a command, a worker is replaced for something that it did.
    return isReady && (previous === null || this.#app.busy !== null);
  }

  /** @param {Slot[]} slots @returns those that serve, of which it is known what they listen on: somebody looks once they have stayed up */
  #knownOf(slots) {
    const workers = slots.filter(({ isSpare }) => !isSpare).flatMap((slot) => slot.workers);
    const online = workers.filter(({ status }) => status === 'online');
    const pending = online.filter((worker) => !this.#isKnown.has(worker));
    const restMs = (/** @type {WorkerHandle} */ { readiness }) => readiness.restMs;
    for (const worker of pending.filter((each) => restMs(each) === 0)) void this.#lookAt(worker);
    const waits = pending.map(restMs).filter((ms) => ms > 0);
    clearTimeout(this.#timer);
    if (waits.length > 0) this.#timer = setTimeout(this.look, Math.min(...waits) + 1).unref();
    return online.filter((worker) => this.#isKnown.get(worker));
  }

  /** @param {WorkerHandle} worker */
  async #lookAt(worker) {
    this.#isKnown.set(worker, false);
    await lookAtTrees([{ workers: [worker] }]);
    this.#isKnown.set(worker, true);
    this.#app.pool.changed();
  }

  /**
   * What listens on nothing may do what only one may do at a time, so the first spare waits until another worker listens.
   * @param {Slot} slot
   * @param {boolean} isKnown what the others listen on
   */
  #holdBack(slot, isKnown) {
    const isEarly = slot.workers.length === 0 && !isKnown;
    const isHeldBack = slot.isSpare && (isEarly || this.#refused !== undefined);
    if (slot.isHeldBack === isHeldBack) return;
    slot.isHeldBack = isHeldBack;
    this.#app.pool.changed();
  }
}

/** @param {WorkerHandle} worker @returns {SpareRefusal | undefined} why another one could not run beside it and be kept from serving */
function refusalOf({ listening, child }) {
  if (listening.below.length > 0) return 'below';
  if (child && channelTo(child).cluster.hasUdp) return 'udp';
  return listening.areShared === false ? 'silent' : undefined;
}
