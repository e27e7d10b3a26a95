/** Replaces workers that are due: the next one takes over once it has proven itself. A command cancels that. */
import {
  nextReplacement,
  nextReplacementMs,
  recentReplacements,
} from '../../lifecycle/next-replacement.js';

/**
 * @import { ReplacementView } from '../../lifecycle/next-replacement.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 * @import { WorkerPool } from './pool.js'
 * @import { Slot } from './slot.js'
 */

export class Replacements {
  /** The slot whose worker is being replaced. @type {Slot | null} */
  #current = null;
  /** @type {WeakMap<WorkerHandle, {how: string, sinceMs: number}>} */
  #due = new WeakMap();
  /** When replacements ended, and how many of the last ones of that launch failed in a row, and why. @type {WeakMap<Slot, {endedMs: number[], failures: number, reason?: string, launch: Slot['launch']}>} */
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
   * @param {string} how what it did, in words that follow 'it'
   */
  markDue(worker, how) {
    if (this.#due.has(worker)) return false;
    this.#due.set(worker, { how, sinceMs: performance.now() });
    this.#pool.changed();
    return true;
  }

  /** @param {WorkerHandle} worker that need not be replaced any more */
  unmark(worker) {
    this.#due.delete(worker);
  }

  /**
   * @param {WorkerHandle} worker
   * @returns {{count: number, why: string, reason: string} | null} why: it is due, in words that follow 'it'; reason: those
   *   that were to replace it failed; null: it is not due, or none has failed
   */
  failuresOf(worker) {
    const slot = this.#pool.slots.get(worker.slot);
    const { failures: count = 0, reason, launch } = (slot && this.#past.get(slot)) ?? {};
    const due = this.#due.get(worker);
    // A command may have replaced it since.
    const isSame = launch === worker.launch && reason !== undefined;
    return due && count > 0 && isSame ? { count, why: due.how, reason } : null;
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
    const desired = this.#pool.slotsOf().filter(({ isDesired }) => isDesired);
    const views = desired.map((slot) => this.#view(slot));
    const next = nextReplacement({ slots: views, nowMs: performance.now() });
    if ('slot' in next) this.#begin(/** @type {Slot} */ (this.#pool.slots.get(next.slot)));
    else if (next.waitMs !== null) this.#timer = setTimeout(() => this.#look(), next.waitMs + 1);
  }

  /** @param {Slot} slot @returns {ReplacementView} */
  #view(slot) {
    const { desiredWorker: worker, emptiesFirst, workers } = slot;
    const { endedMs, failures } = this.#pastOf(slot);
    return {
      slot: slot.number,
      emptiesFirst,
      isServing: worker !== undefined,
      isChanging: worker !== undefined && workers.length > 1,
      dueMs: (worker && this.#due.get(worker)?.sinceMs) ?? null,
      notBeforeMs: nextReplacementMs(endedMs, failures),
    };
  }

  /** @param {Slot} slot */
  #pastOf(slot) {
    const { endedMs = [], failures = 0 } = this.#past.get(slot) ?? {};
    return { endedMs: recentReplacements(endedMs, performance.now()), failures };
  }

  /** @param {Slot} slot @param {number} failures in a row @param {string} [reason] of the last one */
  #note(slot, failures, reason) {
    const endedMs = [...this.#pastOf(slot).endedMs, performance.now()];
    this.#past.set(slot, { endedMs, failures, reason, launch: slot.launch });
  }

  /** @param {Slot} slot */
  #begin(slot) {
    const worker = /** @type {WorkerHandle} */ (slot.desiredWorker);
    const { how = '' } = this.#due.get(worker) ?? {};
    this.#current = slot;
    slot.beginReload({ ...slot.launch, isProven: false }, how);
    worker.reportEvent('worker.replacing', `it ${how}`);
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
