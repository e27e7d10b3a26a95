/** Sends the daemon what happens to the workers. The latest events are buffered for the next daemon. */
import { json } from '../shared/checks.js';
import { truncateLines } from './snapshot.js';

/**
 * @import { PrimaryEvent } from '../protocol/methods.js'
 * @import { Progress } from '../protocol/shapes.js'
 * @import { WorkerPool } from './pool/pool.js'
 * @import { WorkerHandle } from './worker/handle.js'
 */

/** With the last lines of a dead worker an event may take some kilobytes. */
const MAX_BUFFERED_EVENTS = 500;

/** @typedef {(event: PrimaryEvent) => void} Send */

export class EventFeed {
  /** @type {Send | null} */
  #send = null;
  /** @type {PrimaryEvent[]} */
  #buffer = [];
  #seq = 0;
  /** Pids whose start was sent; each command reports it again. @type {Set<number | null>} */
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
   * @param {Send} send called at once with the buffered events
   * @param {number} after `seq` of the last one that it knows
   * @returns {() => void} disconnects it
   */
  connect(send, after) {
    this.#send = send;
    for (const event of this.#buffer) {
      if ((event.seq ?? 0) > after) send({ ...event, again: true });
    }
    return () => {
      if (this.#send === send) this.#send = null;
    };
  }

  /** @param {Progress} progress */
  #onProgress({ kind, ...rest }) {
    if (kind === 'rolling back') return this.#publish({ type: 'reload.rollback' });
    // Only the command that waits shows it.
    if (kind === 'waiting') return;
    const { pid = null } = rest;
    if (kind === 'starting' && this.#started.has(pid)) return;
    if (kind === 'starting') this.#started.add(pid);
    const isFailure = kind === 'failed' || kind === 'exited';
    if (isFailure || kind === 'stopped') this.#started.delete(pid);
    // The event of a failure follows, with the last lines.
    if (!isFailure) this.#publish({ type: `worker.${kind}`, ...rest });
  }

  /** @param {WorkerHandle} worker @param {unknown} message */
  #onMessage(worker, message) {
    const content = readProgramEvent(message);
    if (content === null) return;
    const budget = this.#budgets.get(worker) ?? new EventBudget();
    this.#budgets.set(worker, budget);
    const taken = budget.take(performance.now());
    if (taken === null) return;
    const { slot, pid, generation } = worker;
    const dropped = taken.dropped || undefined;
    const event = { type: 'worker.event', slot, pid, generation, ...content, dropped };
    this.#send?.({ at: Date.now(), ...event });
  }

  /** @param {{type: string} & Partial<PrimaryEvent>} event */
  #publish({ type, ...rest }) {
    this.#seq += 1;
    if (rest.lastLines) rest.lastLines = truncateLines(rest.lastLines);
    const event = { type, at: Date.now(), seq: this.#seq, ...rest };
    this.#buffer.push(event);
    if (this.#buffer.length > MAX_BUFFERED_EVENTS) this.#buffer.shift();
    this.#send?.(event);
  }
}

const MAX_NAME = 100;
/** In characters of JSON; a program may also send what is nested too deeply to be sent on. */
const isSmall = json(16_384);
/** Events of a worker at once, and then per second; others are dropped and counted. */
const BURST = 50;
const PER_SECOND = 10;

/**
 * Null: it is not an event, or too large.
 * @param {any} message `{type: 'nodecluster:event', name, data}`, or what PM2's
 *   bus takes: `{type: 'process:msg', data}`, `{topic, data}`
 */
export function readProgramEvent(message) {
  if (typeof message !== 'object' || message === null) return null;
  const { name, data } = eventIn(message);
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return null;
  return isSmall(data) === null ? { name, data } : null;
}

/** @param {any} message an object @returns {{name: unknown, data: unknown}} */
function eventIn(message) {
  const { type, name, topic, data = null } = message;
  if (type === 'nodecluster:event') return { name, data };
  if (type === 'process:msg') return { name: type, data };
  const hasTopic = type === undefined && typeof topic === 'string' && 'data' in message;
  return { name: hasTopic && 'process:msg', data: { topic, data } };
}

/** How many events one worker may still send. */
export class EventBudget {
  #left = BURST;
  #filledMs = -Infinity;
  #dropped = 0;

  /** How many were dropped before this one; null: this one is too. @param {number} nowMs monotonic */
  take(nowMs) {
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#filledMs) / 1000) * PER_SECOND);
    this.#filledMs = nowMs;
    if (this.#left < 1) {
      this.#dropped += 1;
      return null;
    }
    this.#left -= 1;
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { dropped };
  }
}
