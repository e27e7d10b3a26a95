/**
 * Everything that happens to the workers, told to the daemon as it happens. The latest are kept: a
 * daemon that dies may have heard of less than it was told, and the next knows nothing.
 */
import { EventBudget, readWorkerEvent } from './program-event.js';

/**
 * @import { PrimaryEvent } from '../../protocol/methods.js'
 * @import { Progress } from '../../protocol/shapes.js'
 * @import { WorkerPool } from '../pool/pool.js'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** Events; with the last words of workers that died they may have some kilobytes each. */
const MAX_KEPT = 500;
const MAX_LINES = 10;
const MAX_LINE = 160;

/** @typedef {(event: PrimaryEvent) => void} Tell */

export class EventFeed {
  /** Whether somebody wants to know what the programs themselves say. */
  hearsPrograms = false;
  /** @type {Tell | null} */
  #tell = null;
  /** @type {PrimaryEvent[]} */
  #kept = [];
  #seq = 0;
  /** Workers that were said to start: who waits for a command is told of it again. @type {Set<number | null>} */
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
   * @param {Tell} tell told at once what was before
   * @param {number} after the number of the last event that it knows
   * @returns {() => void} ends it
   */
  connect(tell, after) {
    this.#tell = tell;
    for (const event of this.#kept) if ((event.seq ?? 0) > after) tell({ ...event, again: true });
    return () => {
      if (this.#tell !== tell) return;
      this.#tell = null;
      this.hearsPrograms = false;
    };
  }

  /** @param {Progress} progress */
  #onProgress({ kind, ...rest }) {
    if (kind === 'rolling back') return this.#publish({ type: 'reload.rollback' });
    const { pid = null } = rest;
    if (kind === 'starting' && this.#started.has(pid)) return;
    if (kind === 'starting') this.#started.add(pid);
    if (kind === 'stopped' || kind === 'failed') this.#started.delete(pid);
    const type = `worker.${kind === 'failed' ? 'exited' : kind}`;
    const lastLines = rest.lastLines?.slice(-MAX_LINES).map((line) => line.slice(0, MAX_LINE));
    this.#publish({ type, ...rest, ...(lastLines && { lastLines }) });
  }

  /** @param {WorkerHandle} worker @param {unknown} message */
  #onMessage(worker, message) {
    if (!this.hearsPrograms) return;
    const said = readWorkerEvent(message);
    if (said === null) return;
    const nowMs = performance.now();
    const budget = this.#budgets.get(worker) ?? new EventBudget(nowMs);
    this.#budgets.set(worker, budget);
    const taken = budget.take(nowMs);
    if (taken === null) return;
    const { slot, pid, generation } = worker;
    const dropped = taken.dropped > 0 ? taken : {};
    const event = { type: 'worker.event', slot, pid, generation, ...said, ...dropped };
    this.#tell?.({ at: Date.now(), ...event });
  }

  /** @param {{type: string} & Partial<PrimaryEvent>} event */
  #publish({ type, ...rest }) {
    this.#seq += 1;
    const event = { type, at: Date.now(), seq: this.#seq, ...rest };
    this.#kept.push(event);
    if (this.#kept.length > MAX_KEPT) this.#kept.shift();
    this.#tell?.(event);
  }
}
