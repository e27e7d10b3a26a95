/**
 * New workers that no user asks for at that moment: by the clock, when files change, and in place
 * of those that use too much memory.
 */
import { NodeclusterError } from '../../errors/error.js';
import { CronTrigger } from './cron.js';
import { MemoryTrigger } from './memory.js';
import { WatchTrigger } from './watch.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Log } from '../log.js'
 * @import { Metrics } from '../metrics/usage.js'
 * @import { ReplaceWorkers } from './memory.js'
 */

export class Triggers {
  #cron;
  #watch;
  #memory;
  #reload;
  #log;
  /** Apps whose files changed during a reload. @type {Set<App>} */
  #waiting = new Set();

  /**
   * @param {object} options
   * @param {(app: App) => Promise<unknown>} options.reload
   * @param {ReplaceWorkers} options.replaceWorkers
   * @param {Metrics} options.metrics
   * @param {string} options.home
   * @param {Log} options.log
   */
  constructor({ reload, replaceWorkers, metrics, home, log }) {
    this.#reload = reload;
    this.#log = log;
    this.#cron = new CronTrigger((app) => this.#run(app, 'cron_restart'), log);
    this.#watch = new WatchTrigger((app) => this.#reloadAfterOther(app), home, log);
    this.#memory = new MemoryTrigger({ metrics, replaceWorkers, log });
  }

  /**
   * Call it whenever something of the app may have changed.
   * @param {App} app
   */
  sync(app) {
    this.#cron.sync(app);
    this.#watch.sync(app);
    this.#memory.sync(app);
  }

  /**
   * A reload under way may have read the files before they changed, so another must follow it.
   * @param {App} app
   */
  async #reloadAfterOther(app) {
    if (this.#waiting.has(app)) return;
    this.#waiting.add(app);
    await app.queue.whenDone();
    this.#waiting.delete(app);
    await this.#run(app, 'watch');
  }

  /**
   * @param {App} app
   * @param {string} reason
   */
  async #run(app, reason) {
    if (app.stopped || app.deleted) return;
    this.#log.info('reload.due', { app: app.name, because: reason });
    try {
      await this.#reload(app);
    } catch (thrown) {
      const { message } = NodeclusterError.from(thrown);
      this.#log.error('reload.refused', { app: app.name, reason: message });
    }
  }
}
