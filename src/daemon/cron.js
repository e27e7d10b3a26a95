/** Rolling reloads by the clock (`cron_restart`); the only one that knows croner. */
import { Cron } from 'croner';

/** @typedef {import('./app.js').App} App */

export class CronTrigger {
  /** @type {Map<string, {pattern: string, job: Cron}>} by app */
  #jobs = new Map();
  #onDue;
  #log;

  /**
   * @param {(app: App) => void} onDue
   * @param {import('./log.js').Log} log
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
    if ((present?.pattern ?? null) === pattern) return;
    present?.job.stop();
    this.#jobs.delete(app.name);
    if (pattern === null) return;
    try {
      const job = new Cron(pattern, () => this.#onDue(app));
      this.#jobs.set(app.name, { pattern, job });
      const next = job.nextRun()?.toISOString();
      this.#log.info('cron.set', { app: app.name, pattern, next });
    } catch (error) {
      const { message: reason } = /** @type {Error} */ (error);
      this.#log.error('cron.refused', { app: app.name, pattern, reason });
    }
  }
}
