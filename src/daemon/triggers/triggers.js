/**
 * Runs jobs at their times. Replaces workers without a command: at given times, when files change, and when workers use too
 * much memory. Adds and removes workers when the number of cores or the load changes.
 */
import { NodeclusterError } from '../../errors/error.js';
import { AutoscalingTrigger } from '../../features/autoscaling/daemon.js';
import { CoresTrigger } from './cores.js';
import { CronTrigger } from '../../features/cron/daemon.js';
import { JobTrigger } from '../../features/jobs/daemon/timetable.js';
import { MemoryTrigger } from '../../features/wear/daemon.js';
import { WatchTrigger } from '../../features/watch/daemon.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Log } from '../log.js'
 * @import { Metrics } from '../metrics/usage.js'
 * @import { ScaleTo } from './cores.js'
 * @import { ReportSkipped, RunJob } from '../../features/jobs/daemon/timetable.js'
 * @import { ReplaceWorkers } from '../../features/wear/daemon.js'
 */

/** @typedef {(app: App) => Promise<unknown>} Reload */

export class Triggers {
  #cron;
  #watch;
  #memory;
  #cores;
  #autoscaling;
  #jobs;
  #reload;
  #log;
  /** Apps with a reload that waits for a command. @type {Set<App>} */
  #waiting = new Set();

  /**
   * @param {object} options
   * @param {Reload} options.reload
   * @param {ReplaceWorkers} options.replaceWorkers
   * @param {ScaleTo} options.scale
   * @param {RunJob} options.runJob
   * @param {ReportSkipped} options.skipRun
   * @param {Metrics} options.metrics
   * @param {string} options.home
   * @param {Log} options.log
   */
  constructor({ reload, replaceWorkers, scale, runJob, skipRun, metrics, home, log }) {
    this.#reload = reload;
    this.#log = log;
    this.#cron = new CronTrigger((app) => this.#reloadAfterOthers(app, 'cron_restart'), log);
    this.#watch = new WatchTrigger((app) => this.#reloadAfterOthers(app, 'watch'), home, log);
    this.#memory = new MemoryTrigger({ metrics, replaceWorkers, log });
    this.#cores = new CoresTrigger({ scale, log });
    this.#autoscaling = new AutoscalingTrigger({ scale, metrics, log });
    this.#jobs = new JobTrigger({ run: runJob, skip: skipRun, log });
  }

  get #all() {
    const ofWorkers = [this.#cron, this.#watch, this.#memory];
    return [...ofWorkers, this.#cores, this.#autoscaling, this.#jobs];
  }

  /** What one trigger of one app throws affects no other. @param {App} app that may have changed */
  sync(app) {
    for (const trigger of this.#all) {
      try {
        trigger.sync(app);
      } catch (thrown) {
        const { message: reason } = NodeclusterError.from(thrown);
        this.#log.error('trigger.failed', { app: app.name, reason });
      }
    }
  }

  /**
   * A reload in progress may have read the files before they changed, so another must follow it, but no second one.
   * @param {App} app
   * @param {string} because
   */
  async #reloadAfterOthers(app, because) {
    if (this.#waiting.has(app)) return;
    this.#waiting.add(app);
    await app.queue.whenDone();
    this.#waiting.delete(app);
    await this.#run(app, because);
  }

  /** @param {App} app @param {string} because */
  async #run(app, because) {
    if (app.stopped || app.deleted) return;
    this.#log.info('reload.due', { app: app.name, because });
    try {
      await this.#reload(app);
    } catch (thrown) {
      const { message: reason } = NodeclusterError.from(thrown);
      this.#log.error('reload.refused', { app: app.name, reason });
    }
  }
}
