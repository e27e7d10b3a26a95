/** Rolling reloads at given times (`cron_restart`). */
import { parseCronPattern } from '../../config/types/cron.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Log } from '../log.js'
 */

/** A timer does not notice that the clock was set, so the clock is checked at least this often. */
const CHECK_EVERY_MS = 30_000;
/** A job that is later than this is skipped: the clock was set past it, or the machine slept. */
const LATE_MS = 120_000;

export class CronJob {
  #times;
  #checkedMs;

  /**
   * @param {string} pattern
   * @param {number} nowMs epoch
   * @throws {Error} what is wrong with the pattern
   */
  constructor(pattern, nowMs) {
    this.pattern = pattern;
    this.#times = parseCronPattern(pattern);
    this.#checkedMs = nowMs;
  }

  /** @returns {Date | null} the first time after the last check */
  get next() {
    return this.#times.nextRun(new Date(this.#checkedMs));
  }

  /** @returns {number} ms from the last check to the next */
  get waitMs() {
    const next = this.next?.getTime() ?? Infinity;
    return Math.min(next - this.#checkedMs, CHECK_EVERY_MS);
  }

  /**
   * @param {number} nowMs epoch
   * @returns {boolean} whether it is due
   */
  check(nowMs) {
    const next = this.next?.getTime() ?? Infinity;
    this.#checkedMs = nowMs;
    return next <= nowMs && nowMs - next < LATE_MS;
  }
}

export class CronTrigger {
  /** @type {Map<string, {job: CronJob, timer: NodeJS.Timeout}>} by app */
  #jobs = new Map();
  #onDue;
  #log;

  /**
   * @param {(app: App) => void} onDue
   * @param {Log} log
   */
  constructor(onDue, log) {
    this.#onDue = onDue;
    this.#log = log;
  }

  /** @param {App} app of which something may have changed */
  sync(app) {
    const pattern = app.stopped || app.deleted ? null : app.spec.cronRestart;
    const current = this.#jobs.get(app.name);
    if ((current?.job.pattern ?? null) === pattern) return;
    clearTimeout(current?.timer);
    this.#jobs.delete(app.name);
    if (pattern === null) return;
    try {
      const job = new CronJob(pattern, Date.now());
      this.#schedule(app, job);
      this.#log.info('cron.set', { app: app.name, pattern, next: job.next?.toISOString() });
    } catch (error) {
      const { message: reason } = /** @type {Error} */ (error);
      this.#log.error('cron.refused', { app: app.name, pattern, reason });
    }
  }

  /** @param {App} app @param {CronJob} job */
  #schedule(app, job) {
    const timer = setTimeout(() => {
      const isDue = job.check(Date.now());
      this.#schedule(app, job);
      if (isDue) this.#onDue(app);
    }, job.waitMs);
    this.#jobs.set(app.name, { job, timer });
  }
}
