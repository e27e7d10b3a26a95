/** Rolling reloads at given times (`cron_restart`). */
import { CronJob } from '../../daemon/triggers/cron-job.js';

/**
 * @import { App } from '../../daemon/apps/app.js'
 * @import { Log } from '../../daemon/log.js'
 */

export class CronTrigger {
  /** @type {Map<string, CronJob>} by app */
  #jobs = new Map();
  #onDue;
  #log;

  /** @param {(app: App) => void} onDue @param {Log} log */
  constructor(onDue, log) {
    this.#onDue = onDue;
    this.#log = log;
  }

  /** @param {App} app that may have changed */
  sync(app) {
    const pattern = app.stopped || app.deleted ? null : app.spec.cronRestart;
    const current = this.#jobs.get(app.name);
    if ((current?.pattern ?? null) === pattern) return;
    current?.stop();
    this.#jobs.delete(app.name);
    if (pattern === null) return;
    try {
      const job = new CronJob(pattern, Date.now());
      this.#jobs.set(app.name, job);
      job.start(() => this.#onDue(app));
      this.#log.info('cron.set', { app: app.name, pattern, next: job.next?.toISOString() });
    } catch (error) {
      const { message: reason } = /** @type {Error} */ (error);
      this.#log.error('cron.refused', { app: app.name, pattern, reason });
    }
  }
}
