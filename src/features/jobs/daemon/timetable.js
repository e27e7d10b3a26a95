/** Runs jobs at their times (`schedule`). Times at which no daemon was there are not made up for. */
import { isRunning } from './run.js';
import { CronJob } from '../../../daemon/triggers/cron-job.js';

/**
 * @import { App, JobState } from '../../../daemon/apps/app.js'
 * @import { Log } from '../../../daemon/log.js'
 */

/**
 * @typedef {(app: App, reason: string) => Promise<unknown>} RunJob
 * @typedef {(app: App, reason: string) => void} ReportSkipped
 *
 * @typedef {object} Watched
 * @property {string} key its times
 * @property {CronJob} times
 * @property {() => void} onState
 */

const BECAUSE = 'schedule';

export class JobTrigger {
  /** @type {Map<App, Watched>} */
  #jobs = new Map();
  #run;
  #skip;
  #log;

  /**
   * @param {object} options
   * @param {RunJob} options.run
   * @param {ReportSkipped} options.skip
   * @param {Log} options.log
   */
  constructor({ run, skip, log }) {
    this.#run = run;
    this.#skip = skip;
    this.#log = log;
  }

  /** @param {App} app that may have changed */
  sync(app) {
    const key = keyOf(app);
    const current = this.#jobs.get(app);
    if ((current?.key ?? null) === key) return;
    if (current) this.#forget(app, current);
    if (key !== null) this.#watch(app, key);
  }

  /** @param {App} app @param {Watched} job */
  #forget(app, { times, onState }) {
    times.stop();
    app.link.off('state', onState);
    app.job = null;
    this.#jobs.delete(app);
  }

  /** @param {App} app @param {string} key */
  #watch(app, key) {
    const { schedule, timezone } = app.spec;
    const times = new CronJob(String(schedule), Date.now(), timezone ?? undefined);
    const onState = () => this.#runQueued(app);
    app.job = { times, skipped: 0, isQueued: false, isBeginning: false };
    app.link.on('state', onState);
    this.#jobs.set(app, { key, times, onState });
    times.start(() => this.#onDue(app));
    this.#log.info('job.set', { app: app.name, schedule, next: times.next?.toISOString() });
  }

  /** @param {App} app */
  #onDue(app) {
    const { job } = app;
    if (job === null) return;
    const { overlap } = app.spec;
    const mayBegin = overlap === 'replace' || !isRunning(app);
    if (mayBegin && !job.isBeginning) void this.#begin(app, job);
    else if (overlap === 'queue' && !job.isQueued) job.isQueued = true;
    else this.#leaveOut(app, job);
  }

  /** @param {App} app @param {JobState} job */
  #leaveOut(app, job) {
    job.skipped += 1;
    const reason = reasonOf(job, app.spec.overlap);
    this.#log.warn('job.skipped', { app: app.name, reason });
    this.#skip(app, reason);
  }

  /** @param {App} app */
  #runQueued(app) {
    const { job } = app;
    if (!job?.isQueued || job.isBeginning || isRunning(app)) return;
    job.isQueued = false;
    void this.#begin(app, job);
  }

  /** @param {App} app @param {JobState} job */
  async #begin(app, job) {
    job.isBeginning = true;
    try {
      await this.#run(app, BECAUSE);
    } catch (thrown) {
      this.#log.error('job.refused', { app: app.name, reason: String(thrown) });
    } finally {
      job.isBeginning = false;
    }
    this.#runQueued(app);
  }
}

/** @param {JobState} job @param {App['spec']['overlap']} overlap */
function reasonOf({ isQueued }, overlap) {
  if (isQueued) return 'another run waits already';
  return overlap === 'replace' ? 'another run is beginning' : 'the last run has not ended';
}

/** @param {App} app @returns {string | null} null: it has no times */
function keyOf({ spec, stopped, deleted }) {
  if (stopped || deleted || spec.schedule === null) return null;
  return JSON.stringify([spec.schedule, spec.timezone]);
}
