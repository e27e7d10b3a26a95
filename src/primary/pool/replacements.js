/**
 * Replaces workers that are due, one at a time: the next one takes over once it has proven itself. A command cancels that.
 * Each one of a slot is delayed for longer: a worker that is always due, or cannot be replaced, would be all the time.
 */
import { doublingDelay } from '../../lifecycle/delays.js';

/**
 * @import { Fact, Reason, Replacement } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

const FIRST_DELAY_MS = 10_000;
const MAX_DELAY_MS = 60_000;
/** While they fail. */
const MAX_FAILED_DELAY_MS = 300_000;
/** After so long without one, earlier replacements do not count. */
const RECENT_MS = 600_000;
const NEVER = { endedMs: -Infinity, count: 0, failures: 0 };

export class Replacements {
  /** The latest one. @type {Replacement | null} */
  last = null;
  /** The slot whose worker is being replaced. @type {Slot | null} */
  #current = null;
  /** @type {WeakMap<WorkerHandle, {reason: Fact, sinceMs: number}>} */
  #due = new WeakMap();
  /** When the last replacement ended, how many there were lately, how many of that launch failed in a row, and why. @type {WeakMap<Slot, {endedMs: number, count: number, failures: number, reason?: Reason, launch?: Slot['launch']}>} */
  #past = new WeakMap();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #pool;
  #isBusy;

  /** @param {WorkerPool} pool @param {() => boolean} isBusy whether a command is in progress */
  constructor(pool, isBusy) {
    this.#pool = pool;
    this.#isBusy = isBusy;
    pool.on('change', () => this.#look());
    pool.on('replacement-failed', (slot, { failure }) => {
      if (slot !== this.#current) return;
      // The old worker stays until the next attempt.
      slot.revertReload();
      this.#note(slot, this.#pastOf(slot).failures + 1, failure ?? undefined);
      this.#current = null;
    });
  }

  /**
   * False: it is due already.
   * @param {WorkerHandle} worker
   * @param {Fact} reason what it did
   */
  markDue(worker, reason) {
    if (this.#due.has(worker)) return false;
    this.#due.set(worker, { reason, sinceMs: performance.now() });
    this.#pool.changed();
    return true;
  }

  /** @param {WorkerHandle} worker that need not be replaced any more */
  unmark(worker) {
    this.#due.delete(worker);
  }

  /**
   * @param {WorkerHandle} worker
   * @returns {{count: number, reason: Reason} | null} reason: those that were to replace it failed; null: it is not due, or
   *   none has failed
   */
  failuresOf(worker) {
    const slot = this.#pool.slots.get(worker.slot);
    const { failures: count = 0, reason, launch } = (slot && this.#past.get(slot)) ?? {};
    const due = this.#due.get(worker);
    // A command may have replaced it since.
    const isSame = launch === worker.launch && reason !== undefined;
    return due && count > 0 && isSame
      ? { count, reason: { ...reason, replaces: due.reason } }
      : null;
  }

  /** A command begins, and finds each slot with one launch. */
  cancel() {
    const slot = this.#current;
    if (slot !== null && !this.#finish(slot)) {
      slot.revertReload();
      // At once: the command may give the slot another launch, beside which it would count as old.
      for (const worker of slot.workers) if (worker.launch !== slot.launch) worker.end();
    }
    this.#current = null;
  }

  #look() {
    clearTimeout(this.#timer);
    if (this.#isBusy() || this.#pool.isEnding) return;
    if (this.#current !== null && !this.#finish(this.#current)) return;
    const slots = this.#pool.slotsOf().filter(({ isDesired }) => isDesired);
    const serving = slots.filter(({ desiredWorker }) => desiredWorker);
    // A second worker of it starts or stops.
    if (serving.some(({ workers }) => workers.length > 1)) return;
    const due = serving.flatMap((slot) => {
      const [worker] = slot.workers;
      const known = this.#due.get(worker);
      return known ? [{ ...known, slot, worker, restMs: this.#restMs(slot) }] : [];
    });
    const [next] = due
      // Where the old worker stops first, another one must serve.
      .filter(({ slot }) => !slot.emptiesFirst || slots.length === 1 || serving.length > 1)
      .filter(({ restMs }) => restMs <= 0)
      .sort((one, other) => one.sinceMs - other.sinceMs);
    if (next) return this.#begin(next.slot, next.worker, next.reason);
    const rests = due.map(({ restMs }) => restMs).filter((ms) => ms > 0);
    if (rests.length > 0) this.#timer = setTimeout(() => this.#look(), Math.min(...rests) + 1);
  }

  /** @param {Slot} slot */
  #pastOf(slot) {
    return this.#past.get(slot) ?? NEVER;
  }

  /** Until its worker may be replaced again. @param {Slot} slot */
  #restMs(slot) {
    const { endedMs, count, failures } = this.#pastOf(slot);
    const [times, maxMs] = failures > 0 ? [failures, MAX_FAILED_DELAY_MS] : [count, MAX_DELAY_MS];
    return endedMs + doublingDelay(times - 1, FIRST_DELAY_MS, maxMs) - performance.now();
  }

  /** @param {Slot} slot @param {number} failures in a row @param {Reason} [reason] of the last one */
  #note(slot, failures, reason) {
    const { endedMs: lastMs, count } = this.#pastOf(slot);
    const endedMs = performance.now();
    const lately = endedMs - lastMs < RECENT_MS ? count : 0;
    this.#past.set(slot, { endedMs, count: lately + 1, failures, reason, launch: slot.launch });
  }

  /** @param {Slot} slot @param {WorkerHandle} worker @param {Fact} reason */
  #begin(slot, worker, reason) {
    this.#current = slot;
    slot.beginReload({ ...slot.launch, isProven: false }, reason);
    worker.reportEvent('worker.replacing', { reason });
    this.last = { slot: slot.number, at: Date.now(), reason };
    this.#pool.changed();
  }

  /** @param {Slot} slot @returns {boolean} whether the next worker has taken over */
  #finish(slot) {
    if (!slot.desiredWorker) return false;
    slot.endReload();
    this.#note(slot, 0);
    this.#current = null;
    return true;
  }
}
