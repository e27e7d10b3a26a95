/** Pings one primary, and judges its silence. */
import { judgeSilence, PING_INTERVAL_MS } from '../../../lifecycle/primary-policy.js';
import { activityOf } from '../../../shared/processes/activity.js';

/**
 * @import { Activity, PrimaryVerdict } from '../../../lifecycle/primary-policy.js'
 * @import { PrimaryConnection } from './connection.js'
 * @import { PrimaryRecord } from '../../../shared/processes/primary-record.js'
 */

/**
 * @typedef {object} PulseListener
 * @property {() => PrimaryConnection | null} connection the current one
 * @property {(verdict: Exclude<PrimaryVerdict, 'unclear'>, activity: Activity | null) => void} judged its
 *   verdict has changed; activity: since it fell silent
 */

export class PrimaryPulse {
  #record;
  #on;
  #timer;
  #answeredMs = performance.now();
  #lookedMs = performance.now();
  /** CPU time that it had used when it fell silent. @type {number | null} */
  #cpuBeforeMs = null;
  /** @type {PrimaryVerdict} */
  #verdict = 'responsive';

  /** @param {PrimaryRecord} record @param {PulseListener} on */
  constructor(record, on) {
    this.#record = record;
    this.#on = on;
    this.#timer = setInterval(() => this.#look(), PING_INTERVAL_MS);
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
    const activity = silentMs > PING_INTERVAL_MS ? this.#activity() : null;
    const verdict = judgeSilence({ silentMs, sinceCheckMs, activity });
    if (verdict === 'unclear') this.answered();
    else this.#judge(verdict, activity);
    this.#on.connection()?.ping(() => this.answered());
  }

  /** @param {Exclude<PrimaryVerdict, 'unclear'>} verdict @param {Activity | null} activity */
  #judge(verdict, activity) {
    if (verdict === this.#verdict) return;
    this.#verdict = verdict;
    this.#on.judged(verdict, activity);
  }

  /** @returns {Activity | null} since it fell silent */
  #activity() {
    const activity = activityOf(this.#record.pid);
    if (activity === null) return null;
    this.#cpuBeforeMs ??= activity.cpuMs;
    return { isStopped: activity.isStopped, cpuMs: activity.cpuMs - this.#cpuBeforeMs };
  }
}
