/**
 * Whether the event loops of the workers that accept turn, within milliseconds: if none does, clients wait, although others
 * have nothing to do.
 */
import { channelTo } from '../worker/channel.js';

/** @import { ChildProcess } from 'node:child_process' */

/** Between two reports of a worker with connections; all workers send theirs at the same moment. */
const TURNS_EVERY_MS = 25;
/** Between two of an idle one: few accept, so these cost little. */
const RESTS_EVERY_MS = 500;
export const REPORTS = { turnsEveryMs: TURNS_EVERY_MS, restsEveryMs: RESTS_EVERY_MS };
/** A worker whose report is so late is blocked. */
const LATE_MS = 15;
/** A look that is so late means that this primary did not run, so nobody is judged. */
const GAP_MS = 40;
/**
 * Who was blocked may soon be again: others accept in its place for a time that is so many times as
 * long. One that only waited for a processor does not become a shared one for long.
 */
const WARY_FACTOR = 10;
const MAX_WARY_MS = 10_000;

export class Turns {
  /** Of workers that accept: when each was last heard, and when it is to be heard again. @type {Map<ChildProcess, {heardMs: number, dueMs: number}>} */
  #heard = new Map();
  /** Until when a worker counts as blocked lately; Infinity: it is blocked. @type {Map<ChildProcess, number>} */
  #waryUntilMs = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #lookAtMs = Infinity;

  /** @param {() => void} onChange @param {() => number} clock in milliseconds */
  constructor(onChange, clock = () => performance.now()) {
    this.onChange = onChange;
    this.clock = clock;
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    // null: it accepts no more. Programs can forge the message.
    channelTo(child).on('turns', ({ nextMs }) => this.#hear(child, Number(nextMs)));
    child.once('exit', () => {
      this.#heard.delete(child);
      this.#waryUntilMs.delete(child);
    });
  }

  /** @param {ChildProcess} child that accepts from now on, and reports as soon as it has read that */
  expect(child) {
    if (!this.#heard.has(child)) this.#hear(child, TURNS_EVERY_MS);
  }

  /** @param {ChildProcess} child */
  isBlocked(child) {
    return this.#waryUntilMs.get(child) === Infinity;
  }

  /** @param {ChildProcess} child @returns {boolean} also while it is blocked */
  wasBlocked(child) {
    return this.#waryUntilMs.has(child);
  }

  /** @param {ChildProcess} child @param {number} nextMs until its next report; 0: there is none */
  #hear(child, nextMs) {
    const nowMs = this.clock();
    const silentSinceMs = this.#heard.get(child)?.heardMs ?? nowMs;
    const dueMs = nowMs + Math.min(nextMs, RESTS_EVERY_MS) + LATE_MS;
    if (nextMs > 0) this.#heard.set(child, { heardMs: nowMs, dueMs });
    else this.#heard.delete(child);
    if (this.isBlocked(child)) {
      const waryMs = Math.min(MAX_WARY_MS, WARY_FACTOR * (nowMs - silentSinceMs));
      this.#waryUntilMs.set(child, nowMs + waryMs);
      this.onChange();
    }
    this.#lookSoon();
  }

  #lookSoon() {
    const due = [...this.#heard].map(([child, { dueMs }]) =>
      this.isBlocked(child) ? Infinity : dueMs,
    );
    const nextMs = Math.min(...due, ...this.#waryUntilMs.values());
    if (nextMs === Infinity || (this.#timer && nextMs >= this.#lookAtMs)) return;
    clearTimeout(this.#timer);
    this.#lookAtMs = nextMs;
    // What has been reported meanwhile is read first.
    const look = () => setImmediate(() => this.look());
    this.#timer = setTimeout(look, Math.max(1, nextMs - this.clock())).unref();
  }

  /** Judges who is silent. */
  look() {
    const nowMs = this.clock();
    const hasRun = nowMs - this.#lookAtMs < GAP_MS;
    this.#timer = undefined;
    this.#lookAtMs = Infinity;
    let hasChanged = false;
    for (const [child, heard] of this.#heard) {
      if (nowMs < heard.dueMs || this.isBlocked(child)) continue;
      if (hasRun) this.#waryUntilMs.set(child, Infinity);
      else heard.dueMs = nowMs + GAP_MS;
      hasChanged ||= hasRun;
    }
    for (const [child, untilMs] of this.#waryUntilMs) {
      if (nowMs < untilMs) continue;
      this.#waryUntilMs.delete(child);
      hasChanged = true;
    }
    if (hasChanged) this.onChange();
    this.#lookSoon();
  }
}
