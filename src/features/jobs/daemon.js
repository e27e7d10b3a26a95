/** Apps with a `schedule`: their program runs at its times, and when `run-now` asks for it. */
import { NodeclusterError } from '../../errors/error.js';
import { isRunning, runNow, beginRun } from './daemon-run.js';
import { describeExit, isExpectedExit } from '../../lifecycle/exits.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { isDue } from '../../daemon/control/verbs.js';
import { CronTimes } from '../../daemon/cron-times.js';

/**
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { PastExit } from '../../protocol/shapes.js'
 * @import { Job } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryEvent } from '../../protocol/methods.js'
 * @import { Daemon } from '../../daemon/daemon.js'
 */

/** @type {MakeFeature} */
export function jobs(daemon) {
  const timetable = new Timetable(daemon);
  return {
    sync: (app) => timetable.sync(app),
    record: (app) => ({ job: jobOf(app, timetable.of(app)) }),
    summary(app) {
      const state = timetable.of(app);
      return state ? { nextRunAt: nextRunAt(state) } : {};
    },
    event: (app, event) => (isJob(app) ? jobEvent(event, app.spec) : event),
    check(app, action, { spec }) {
      if (!isJob(app)) return;
      if (action === 'scale' && spec?.instances !== 1)
        throw new NodeclusterError('E_SCALE_JOB', { app: app.name });
      // Its run would end with the primary.
      if (action === 'update' && isRunning(app))
        throw new NodeclusterError('E_JOB_RUNS', { app: app.name });
    },
    methods: { 'run-now': runNow },
    words: {
      'job.refused': ({ reason }) => `the job was not run: ${reason}`,
      'job.skipped': ({ reason }) => `a run of the job was skipped: ${reason}`,
    },
  };
}

/** @param {{spec: {schedule: string | null}}} app */
function isJob({ spec }) {
  return spec.schedule !== null;
}

/**
 * @param {App} app
 * @param {JobState | null} state
 * @returns {Job | undefined} undefined: it is not a job
 */
function jobOf({ spec, link }, state) {
  const { schedule, timezone, overlap } = spec;
  if (schedule === null) return undefined;
  const lastExit = link.snapshot?.slots[0]?.lastExit ?? null;
  return withoutNulls({
    schedule,
    timezone,
    overlap,
    nextRunAt: state && nextRunAt(state),
    skipped: state?.skipped ?? 0,
    lastRun: lastExit && runOf(lastExit, spec),
  });
}

/** @param {JobState} state @returns {number | null} null: it has no further time */
function nextRunAt({ times }) {
  return times.next?.getTime() ?? null;
}

/** @param {PastExit} exit @param {App['spec']} spec */
function runOf(exit, spec) {
  const { at, uptimeMs: durationMs, code, signal, reason } = exit;
  const ok = isExpectedExit(spec, exit);
  return { at, durationMs, ok, code, signal, reason: ok ? describeExit(exit) : reason };
}

/**
 * @param {PrimaryEvent} event
 * @param {Pick<Spec, 'autorestart' | 'stopExitCodes'>} spec
 * @returns {(PrimaryEvent & {ok?: boolean}) | null} null: it says nothing more
 */
function jobEvent(event, spec) {
  if (event.type === 'worker.errored') return null;
  if (event.type !== 'worker.exited') return event;
  const { code = null, signal = null, fault = null } = event;
  const exit = { code, signal, fault };
  const ok = isExpectedExit(spec, exit);
  // A process that was ended for a failure has a better reason than its signal.
  const reason = ok || !event.reason ? describeExit(exit) : event.reason;
  return { ...event, type: 'job.ended', ok, reason };
}

/**
 * @typedef {object} JobState
 * @property {CronTimes} times
 * @property {number} skipped runs that were left out, since this daemon was started
 * @property {boolean} isQueued another run begins when this one has ended
 * @property {boolean} isBeginning a run of the schedule waits for its turn, or for the end of the last one
 *
 * @typedef {JobState & {key: string, onState: () => void}} Watched key: its times
 */

const BECAUSE = 'schedule';

/** Runs jobs at their times (`schedule`). Times at which no daemon was there are not made up for. */
class Timetable {
  /** @type {Map<App, Watched>} */
  #jobs = new Map();
  #daemon;

  /** @param {Daemon} daemon */
  constructor(daemon) {
    this.#daemon = daemon;
  }

  /** @param {App} app @returns {JobState | null} null: it is not a job, or is stopped */
  of(app) {
    return this.#jobs.get(app) ?? null;
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
    this.#jobs.delete(app);
  }

  /** @param {App} app @param {string} key */
  #watch(app, key) {
    const { schedule, timezone } = app.spec;
    const times = new CronTimes(String(schedule), Date.now(), timezone ?? undefined);
    const onState = () => this.#runQueued(app);
    const state = { times, skipped: 0, isQueued: false, isBeginning: false };
    app.link.on('state', onState);
    this.#jobs.set(app, { ...state, key, onState });
    times.start(() => this.#onDue(app));
    this.#daemon.log.info('job.set', { app: app.name, schedule, next: times.next?.toISOString() });
  }

  /** @param {App} app */
  #onDue(app) {
    const job = this.of(app);
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
    this.#daemon.log.warn('job.skipped', { app: app.name, reason });
    this.#daemon.events.publish(app, { type: 'job.skipped', reason });
  }

  /** @param {App} app */
  #runQueued(app) {
    const job = this.of(app);
    if (!job?.isQueued || job.isBeginning || isRunning(app)) return;
    job.isQueued = false;
    void this.#begin(app, job);
  }

  /** @param {App} app @param {JobState} job */
  async #begin(app, job) {
    job.isBeginning = true;
    try {
      const isStillDue = () => isDue(this.#daemon, app);
      await beginRun(this.#daemon, app, { reason: BECAUSE, isDue: isStillDue });
    } catch (thrown) {
      this.#daemon.log.error('job.refused', { app: app.name, reason: String(thrown) });
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
