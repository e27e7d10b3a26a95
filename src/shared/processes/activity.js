/** What a process does: whether it was stopped, how much CPU time it has used, and what its silence means. */
import { attempt } from '../../errors/error.js';
import { listDirectory, readText } from '../files/inspect-path.js';
import { untilMoment } from '../monotonic.js';
import { readPs, statFields } from './identity.js';

/**
 * @import { Activity, ProcessSilence, ProcessVerdict } from '../../lifecycle/frozen-policy.js'
 */

/** Of the times in /proc, on every architecture that Node supports (sysconf(_SC_CLK_TCK) is 100). */
const MS_PER_TICK = 10;

/**
 * Null: it has exited, or cannot be inspected. One that a debugger holds does not count as stopped.
 * @param {number} pid
 * @returns {{isStopped: boolean, cpuMs: number} | null} cpuMs: since its start
 */
export function activityOf(pid) {
  return attempt(() => {
    if (process.platform === 'linux') {
      // proc(5): utime is field 14, stime 15, and the first one here is field 3.
      const fields = statFields(pid);
      const ticks = Number(fields[11]) + Number(fields[12]);
      return { isStopped: fields[0] === 'T', cpuMs: ticks * MS_PER_TICK };
    }
    const [state, time] = readPs('state=,time=', pid).split(/\s+/);
    // `12:34.56`, with hours before it if there are some.
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return { isStopped: state.startsWith('T'), cpuMs: Math.round(seconds * 1000) };
  }, null);
}

/**
 * Ms for which the thread that waited longest had no CPU since its start; 0: it is not known. The second number in
 * `schedstat` is that in ns (Documentation/scheduler/sched-stats.rst of Linux).
 * @param {number} pid
 */
export function cpuWaitOf(pid) {
  const directory = `/proc/${pid}/task`;
  const waits = listDirectory(directory).map((thread) => {
    // Empty for a thread that has ended.
    const [, waitNs = 0] = readText(`${directory}/${thread}/schedstat`).split(' ');
    return Number(waitNs) / 1e6;
  });
  return Math.max(0, ...waits);
}

/**
 * @typedef {object} PulseListener
 * @property {number} everyMs between two looks
 * @property {(silence: ProcessSilence) => ProcessVerdict} judge
 * @property {(verdict: Exclude<ProcessVerdict, 'unclear'>, activity: Activity | null) => void} judged it is another one
 * @property {() => void} [looked] called after each look
 */

export class ProcessPulse {
  #pid;
  #on;
  /** @type {NodeJS.Timeout | undefined} */
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
    this.#lookNext();
  }

  answered() {
    this.#answeredMs = performance.now();
    this.#cpuBeforeMs = null;
    this.#judge('responsive', null);
  }

  end() {
    clearTimeout(this.#timer);
  }

  #lookNext() {
    this.#timer = setTimeout(() => this.#look(), untilMoment(this.#on.everyMs));
  }

  #look() {
    this.#lookNext();
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
