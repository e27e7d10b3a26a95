/**
 * Whether the event loops of workers turn, within milliseconds: a client whose connection the kernel
 * puts into the queue of a blocked worker would wait. A worker reports it only while it has
 * connections, so an idle one costs nothing.
 */
import { channelTo } from '../worker/channel.js';

/** @import { ChildProcess } from 'node:child_process' */

/** Between two reports, which all workers send at the same moment. */
export const TURNS_EVERY_MS = 50;
/** A worker that is silent for longer is blocked: its report is late by half the interval. */
const BLOCKED_MS = 75;
/** Checks that are so far apart mean that this primary did not run, so nobody is judged. */
const GAP_MS = 2 * BLOCKED_MS;
/**
 * Who was blocked may soon be again: others go on accepting in its place for a time that is so many
 * times as long. One that only waited for a processor does not become a shared one for long.
 */
const WARY_FACTOR = 10;
const MAX_WARY_MS = 10_000;

export class Turns {
  /** Workers with connections, and when each was last heard. @type {Map<ChildProcess, number>} */
  #reportedMs = new Map();
  /** Until when a worker counts as blocked lately. @type {Map<ChildProcess, number>} */
  #waryUntilMs = new Map();
  /** Since when they are silent. @type {Map<ChildProcess, number>} */
  #blocked = new Map();
  /** While no report comes. @type {NodeJS.Timeout | null} */
  #timer = null;
  /** @type {NodeJS.Immediate | null} */
  #immediate = null;
  #lookedMs = 0;

  /** @param {() => void} onChange @param {() => number} clock in milliseconds */
  constructor(onChange, clock = () => performance.now()) {
    this.onChange = onChange;
    this.clock = clock;
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    channelTo(child).on('turns', () => this.#turns(child));
    channelTo(child).on('rests', () => this.#rests(child));
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
    this.#reportedMs.set(child, this.clock());
    this.#unblock(child);
    // The reports of others came at the same time, and are read first.
    if (this.#immediate === null) this.#immediate = setImmediate(() => this.look());
  }

  /** @param {ChildProcess} child */
  #rests(child) {
    this.#reportedMs.delete(child);
    this.#unblock(child);
  }

  /** @param {ChildProcess} child */
  #unblock(child) {
    const silentSinceMs = this.#blocked.get(child);
    if (silentSinceMs === undefined) return;
    this.#blocked.delete(child);
    const nowMs = this.clock();
    const waryMs = Math.min(MAX_WARY_MS, WARY_FACTOR * (nowMs - silentSinceMs));
    this.#waryUntilMs.set(child, nowMs + waryMs);
    this.onChange();
  }

  /** @param {ChildProcess} child that has exited */
  #forget(child) {
    this.#reportedMs.delete(child);
    this.#blocked.delete(child);
    this.#waryUntilMs.delete(child);
  }

  /** Judges who is silent. Every report is a reason to look, and so is none for a while. */
  look() {
    this.#immediate = null;
    const nowMs = this.clock();
    const gapMs = nowMs - this.#lookedMs;
    this.#lookedMs = nowMs;
    if (gapMs <= GAP_MS && this.#judge(nowMs)) this.onChange();
    const isIdle = this.#reportedMs.size + this.#waryUntilMs.size === 0;
    if (!isIdle && this.#timer) this.#timer.refresh();
    else if (!isIdle) this.#timer = setTimeout(() => this.look(), BLOCKED_MS).unref();
    else if (this.#timer) clearTimeout(this.#timer);
    if (isIdle) this.#timer = null;
  }

  /** @param {number} nowMs @returns {boolean} whether anything has changed */
  #judge(nowMs) {
    let hasChanged = false;
    for (const [child, reportedMs] of this.#reportedMs) {
      if (nowMs - reportedMs < BLOCKED_MS || this.#blocked.has(child)) continue;
      this.#blocked.set(child, reportedMs);
      this.#waryUntilMs.set(child, Infinity);
      hasChanged = true;
    }
    for (const [child, untilMs] of this.#waryUntilMs) {
      if (nowMs < untilMs) continue;
      this.#waryUntilMs.delete(child);
      hasChanged = true;
    }
    return hasChanged;
  }
}
