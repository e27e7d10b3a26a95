/** Judges the silence of another process: whether it is frozen, or gets no CPU time. */
import { activityOf } from './activity.js';

/** @import { Activity, ProcessSilence, ProcessVerdict } from '../../lifecycle/frozen-policy.js' */

/**
 * @typedef {object} PulseListener
 * @property {number} everyMs between two looks
 * @property {(silence: ProcessSilence) => ProcessVerdict} judge
 * @property {(verdict: Exclude<ProcessVerdict, 'unclear'>, activity: Activity | null) => void} judged its
 *   verdict has changed; activity: since it fell silent
 * @property {() => void} [looked] called after each look
 */

export class ProcessPulse {
  #pid;
  #on;
  #timer;
  #answeredMs = performance.now();
  #lookedMs = performance.now();
  /** CPU time that it had used when it fell silent. @type {number | null} */
  #cpuBeforeMs = null;
  /** @type {ProcessVerdict} */
  #verdict = 'responsive';

  /** @param {number} pid @param {PulseListener} on */
  constructor(pid, on) {
    this.#pid = pid;
    this.#on = on;
    this.#timer = setInterval(() => this.#look(), on.everyMs);
  }

  answered() {
    this.#answeredMs = performance.now();
    this.#cpuBeforeMs = null;
    this.#judge('responsive', null);
  }

  end() {
    clearInterval(this.#timer);
  }

  #look() {
    const nowMs = performance.now();
    const sinceCheckMs = nowMs - this.#lookedMs;
    this.#lookedMs = nowMs;
    const silentMs = nowMs - this.#answeredMs;
    const activity = silentMs > this.#on.everyMs ? this.#activity() : null;
    const verdict = this.#on.judge({ silentMs, sinceCheckMs, activity });
    if (verdict === 'unclear') this.answered();
    else this.#judge(verdict, activity);
    this.#on.looked?.();
  }

  /** @param {Exclude<ProcessVerdict, 'unclear'>} verdict @param {Activity | null} activity */
  #judge(verdict, activity) {
    if (verdict === this.#verdict) return;
    this.#verdict = verdict;
    this.#on.judged(verdict, activity);
  }

  /** @returns {Activity | null} since it fell silent */
  #activity() {
    const activity = activityOf(this.#pid);
    if (activity === null) return null;
    this.#cpuBeforeMs ??= activity.cpuMs;
    return { isStopped: activity.isStopped, cpuMs: activity.cpuMs - this.#cpuBeforeMs };
  }
}
