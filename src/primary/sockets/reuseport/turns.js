/**
 * Whether the event loops of workers turn, within milliseconds: a client whose connection the kernel
 * puts into the queue of a blocked worker would wait. A worker reports it only while it has
 * connections, so an idle one costs nothing.
 */
import { AGENT_CMD } from '../../worker/agent-reports.js';

/** @import { ChildProcess } from 'node:child_process' */

/** Between two reports; 40 a second cost 0.2 % of a core for each worker with connections. */
export const TURNS_EVERY_MS = 25;
/** A worker that is silent for longer is blocked. */
const BLOCKED_MS = 60;
/** Checks that are so far apart mean that this primary did not run, so nobody is judged. */
const GAP_MS = 2 * TURNS_EVERY_MS;
/** Who was blocked may soon be again: so long others go on accepting in its place. */
const WARY_MS = 10_000;

export class Turns {
  /** Workers with connections, and when each was last heard. @type {Map<ChildProcess, number>} */
  #reportedMs = new Map();
  /** Until when a worker counts as blocked lately. @type {Map<ChildProcess, number>} */
  #waryUntilMs = new Map();
  /** @type {Set<ChildProcess>} */
  #blocked = new Set();
  /** @type {NodeJS.Timeout | null} */
  #timer = null;
  #lookedMs = 0;

  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    child.on('internalMessage', (message) => {
      if (message?.cmd !== AGENT_CMD) return;
      if (message.type === 'turns') this.#turns(child);
      if (message.type === 'rests') this.#rests(child);
    });
    child.once('exit', () => this.#forget(child));
  }

  /** @param {ChildProcess} child */
  isBlocked(child) {
    return this.#blocked.has(child);
  }

  /** @param {ChildProcess} child @returns {boolean} also while it is blocked */
  wasBlocked(child) {
    return this.#waryUntilMs.has(child);
  }

  /** @param {ChildProcess} child */
  #turns(child) {
    this.#reportedMs.set(child, performance.now());
    this.#unblock(child);
    this.#watchClock();
  }

  /** @param {ChildProcess} child */
  #rests(child) {
    this.#reportedMs.delete(child);
    this.#unblock(child);
  }

  /** @param {ChildProcess} child */
  #unblock(child) {
    if (!this.#blocked.delete(child)) return;
    this.#waryUntilMs.set(child, performance.now() + WARY_MS);
    this.onChange();
  }

  /** @param {ChildProcess} child that has exited */
  #forget(child) {
    this.#reportedMs.delete(child);
    this.#blocked.delete(child);
    this.#waryUntilMs.delete(child);
  }

  #watchClock() {
    if (this.#timer) return;
    this.#lookedMs = performance.now();
    this.#timer = setInterval(() => this.#look(), TURNS_EVERY_MS);
    this.#timer.unref();
  }

  #look() {
    const nowMs = performance.now();
    const gapMs = nowMs - this.#lookedMs;
    this.#lookedMs = nowMs;
    if (gapMs > GAP_MS) return;
    let hasChanged = false;
    for (const [child, reportedMs] of this.#reportedMs) {
      if (nowMs - reportedMs < BLOCKED_MS || this.#blocked.has(child)) continue;
      this.#blocked.add(child);
      this.#waryUntilMs.set(child, Infinity);
      hasChanged = true;
    }
    for (const [child, untilMs] of this.#waryUntilMs) {
      if (nowMs < untilMs) continue;
      this.#waryUntilMs.delete(child);
      hasChanged = true;
    }
    if (hasChanged) this.onChange();
    if (this.#reportedMs.size + this.#waryUntilMs.size > 0) return;
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
