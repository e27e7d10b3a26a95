/** Rolling reloads by the clock (`cron_restart`). */
import { parseCronPattern } from '../../config/types/cron.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Log } from '../log.js'
 */

/** A timer counts the time that passes; where the clock was set meanwhile only a look tells. */
const LOOK_EVERY_MS = 30_000;
/** Found out later than this, the clock was set to after it, or the machine slept: it is left out. */
const LATE_MS = 120_000;

export class CronJob {
  #times;
  #lastLookMs;

  /**
   * @param {string} pattern
   * @param {number} nowMs epoch
   * @throws {Error} what is wrong with the pattern
   */
  constructor(pattern, nowMs) {
    this.pattern = pattern;
    this.#times = parseCronPattern(pattern);
    this.#lastLookMs = nowMs;
  }

  /** @returns {Date | null} the first time after the last look */
  get next() {
    return this.#times.nextRun(new Date(this.#lastLookMs));
  }

  /** @returns {number} how long after the last look to look again, in milliseconds */
  get waitMs() {
    const next = this.next?.getTime() ?? Infinity;
    return Math.min(next - this.#lastLookMs, LOOK_EVERY_MS);
  }

  /**
   * @param {number} nowMs epoch
   * @returns {boolean} it is due
   */
  look(nowMs) {
    const next = this.next?.getTime() ?? Infinity;
    this.#lastLookMs = nowMs;
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

  /**
   * Call it whenever something of the app may have changed.
   * @param {App} app
   */
  sync(app) {
    const pattern = app.stopped || app.deleted ? null : app.spec.cronRestart;
    const present = this.#jobs.get(app.name);
    if ((present?.job.pattern ?? null) === pattern) return;
    clearTimeout(present?.timer);
    this.#jobs.delete(app.name);
    if (pattern === null) return;
    try {
      const job = new CronJob(pattern, Date.now());
      this.#lookLater(app, job);
      this.#log.info('cron.set', { app: app.name, pattern, next: job.next?.toISOString() });
    } catch (error) {
      const { message: reason } = /** @type {Error} */ (error);
      this.#log.error('cron.refused', { app: app.name, pattern, reason });
    }
  }

  /**
   * @param {App} app
   * @param {CronJob} job
   */
  #lookLater(app, job) {
    const timer = setTimeout(() => {
      const isDue = job.look(Date.now());
      this.#lookLater(app, job);
      if (isDue) this.#onDue(app);
    }, job.waitMs);
    this.#jobs.set(app.name, { job, timer });
  }
}
