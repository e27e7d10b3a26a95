/** Apps with a `schedule`: their program runs on its schedule, and when `run-now` asks for it. */
import { startSlots } from '../../daemon/actions/start.js';
import { progressTo, runInTurn } from '../../daemon/control/run-command.js';
import { resolveTargets } from '../../daemon/control/targets.js';
import { CronTimes } from '../../daemon/cron-times.js';
import { besideApps } from '../../daemon/features.js';
import { NodeclusterError } from '../../errors/error.js';
import { describeExit, isExpectedExit } from '../../lifecycle/restart-policy.js';
import { poll } from '../../shared/deadline.js';
import { withoutNulls } from '../../shared/merge-patch.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { Handler } from '../../daemon/control/methods.js'
 * @import { SendProgress } from '../../daemon/control/run-command.js'
 * @import { Daemon } from '../../daemon/daemon.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { PrimaryEvent } from '../../protocol/methods.js'
 * @import { AppOutcome, PastExit } from '../../protocol/shapes.js'
 * @import { Job } from './record.js'
 */

/** @type {MakeFeature} */
export function jobs(daemon) {
  /** Not of those that are stopped. @type {Map<App, JobState>} */
  const states = new Map();
  return {
    sync: besideApps(
      ({ spec: { schedule, timezone } }) => schedule && JSON.stringify([schedule, timezone]),
      (app) => {
        const { job, end } = followTimes(daemon, app);
        states.set(app, job);
        return () => {
          end();
          states.delete(app);
        };
      },
    ),
    record: (app) => ({ job: jobOf(app, states.get(app)) }),
    summary(app) {
      const state = states.get(app);
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
    methods: { 'run-now': { answer: runNow } },
  };
}

/** @param {{spec: {schedule: string | null}}} app */
function isJob({ spec }) {
  return spec.schedule !== null;
}

/** @param {App} app @param {JobState} [state] @returns {Job | undefined} undefined: it is not a job */
function jobOf(app, state) {
  const { spec } = app;
  const { schedule, timezone, overlap } = spec;
  if (schedule === null) return undefined;
  const lastExit = lastExitOf(app);
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

/** @param {PrimaryEvent} event @param {Spec} spec @returns {(PrimaryEvent & {ok?: boolean}) | null} null: it says nothing more */
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
 * @property {number} skipped runs that were skipped, since this daemon was started
 * @property {boolean} isQueued another run begins when this one has ended
 * @property {boolean} isBeginning a run of the schedule waits for its turn, or for the end of the last one
 */

/** Times at which no daemon was there are not made up for. @param {Daemon} daemon @param {App} app */
function followTimes(daemon, app) {
  const { schedule, timezone } = app.spec;
  const times = new CronTimes(String(schedule), Date.now(), timezone);
  const job = { times, skipped: 0, isQueued: false, isBeginning: false };
  const onState = () => runQueued(daemon, app, job);
  app.on('state', onState);
  times.start(() => onDue(daemon, app, job));
  daemon.log.info('job.set', { app: app.name, schedule, next: times.next?.toISOString() });
  const end = () => {
    times.stop();
    app.off('state', onState);
    job.isQueued = false;
  };
  return { job, end };
}

/** @param {Daemon} daemon @param {App} app @param {JobState} job */
function onDue(daemon, app, job) {
  const { overlap } = app.spec;
  const mayBegin = overlap === 'replace' || !isRunning(app);
  if (mayBegin && !job.isBeginning) void runScheduled(daemon, app, job);
  else if (overlap === 'queue' && !job.isQueued) job.isQueued = true;
  else leaveOut(daemon, app, job);
}

/** @param {Daemon} daemon @param {App} app @param {JobState} job */
function leaveOut(daemon, app, job) {
  job.skipped += 1;
  const reason = reasonOf(job, app.spec.overlap);
  daemon.log.warn('job.skipped', { app: app.name, reason });
  daemon.events.publish(app, { type: 'job.skipped', reason });
}

/** @param {Daemon} daemon @param {App} app @param {JobState} job */
function runQueued(daemon, app, job) {
  if (!job.isQueued || job.isBeginning || isRunning(app)) return;
  job.isQueued = false;
  void runScheduled(daemon, app, job);
}

/** @param {Daemon} daemon @param {App} app @param {JobState} job */
async function runScheduled(daemon, app, job) {
  job.isBeginning = true;
  try {
    await beginRun(daemon, app, { reason: 'schedule', isAutomatic: true });
  } catch (thrown) {
    daemon.log.error('job.refused', { app: app.name, reason: String(thrown) });
  } finally {
    job.isBeginning = false;
  }
  runQueued(daemon, app, job);
}

/** @param {JobState} job @param {App['spec']['overlap']} overlap */
function reasonOf({ isQueued }, overlap) {
  if (isQueued) return 'another run waits already';
  return overlap === 'replace' ? 'another run is beginning' : 'the last run has not ended';
}

/** In the queue of an app. */
const RUN = 'run';
const POLL_MS = 50;
/** For the last lines of a run that has failed. */
const LINES_MS = 500;
const STOPPED = { reason: 'was stopped before it had ended', code: null, lastLines: [] };

/** @param {App} app @returns {boolean} whether a run has not ended, or is about to begin */
function isRunning(app) {
  return app.queue.current === RUN || pidOf(app) !== null;
}

/** @type {Handler<'run-now'>} */
async function runNow(daemon, { selectors, untilEnd = true }, ctx) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => app);
  for (const app of apps) refuseRun(app);
  const report = progressTo(ctx);
  const runs = apps.map(async (app) => {
    const before = lastExitOf(app);
    const begun = await beginRun(daemon, app, { reason: 'run-now', report });
    if (untilEnd) return untilEnded(app, begun, before);
    return begun.ok ? { ...begun, accepted: /** @type {const} */ (true) } : begun;
  });
  return { apps: await Promise.all(runs) };
}

/** @param {App} app @throws {NodeclusterError} E_NOT_A_JOB, E_JOB_STOPPED, E_JOB_RUNS */
function refuseRun(app) {
  const { name, stopped, spec } = app;
  if (spec.schedule === null) throw new NodeclusterError('E_NOT_A_JOB', { app: name });
  if (stopped) throw new NodeclusterError('E_JOB_STOPPED', { app: name });
  if (spec.overlap === 'replace' || !isRunning(app)) return;
  throw new NodeclusterError('E_JOB_RUNS', { app: name });
}

/**
 * A run that has not ended is stopped first. Resolves when the new one has stayed up for `min_uptime`, or has ended.
 * @param {Daemon} daemon @param {App} app @param {{reason: string, isAutomatic?: boolean, report?: SendProgress}} how
 */
function beginRun(daemon, app, how) {
  const { events } = daemon;
  return runInTurn(daemon, app, {
    action: RUN,
    async run(report) {
      if (app.stopped) throw new NodeclusterError('E_JOB_STOPPED', { app: app.name });
      await startSlots(daemon, app, app.slots, report);
      const { spec, generation, slots } = app;
      const outcome = await app.request('restart', { spec, generation, slots }, { report });
      // Nobody expects a job to listen.
      return { ...outcome, notes: undefined };
    },
    // How a run ends, its primary reports; it goes on after the command.
    publish(stage, details) {
      if (stage === 'begun') return events.publish(app, { type: 'job.started', ...details });
      const [first] = details.failed ?? [];
      if (first?.slot !== null) return;
      const { reason } = first;
      const ended = { ok: false, code: null, signal: null, reason, durationMs: 0 };
      events.publish(app, { type: 'job.ended', ...ended });
    },
    ...how,
  });
}

/** @param {App} app @param {AppOutcome} begun @param {PastExit | null} before the last exit before it began */
async function untilEnded(app, begun, before) {
  if (!begun.ok) return begun;
  const pid = pidOf(app);
  await poll(() => pid === null || pidOf(app) !== pid, { timeoutMs: Infinity, everyMs: POLL_MS });
  const last = lastExitOf(app);
  // A run that was stopped, or lost with its primary, is not among the exits.
  if (last === null || last.at === before?.at) {
    return pid === null ? begun : failedRun(app, begun, STOPPED);
  }
  const ended = { ...begun, durationMs: last.uptimeMs };
  if (isExpectedExit(app.spec, last)) return ended;
  const lines = () => lastExitOf(app)?.lastLines.length;
  await poll(lines, { timeoutMs: LINES_MS, everyMs: POLL_MS });
  return failedRun(app, ended, lastExitOf(app) ?? last);
}

/** @param {App} app @param {AppOutcome} outcome @param {Pick<PastExit, 'reason' | 'code' | 'lastLines'>} exit */
function failedRun({ ids, slots: [slot] }, outcome, { reason, code, lastLines }) {
  const failure = { id: ids[slot] ?? null, slot, reason, code, lastLines };
  return { ...outcome, ok: false, done: [], failed: [failure] };
}

/** @param {App} app @returns {number | null} of the run in progress */
function pidOf({ link }) {
  return link.state === 'none' ? null : (link.snapshot?.slots[0]?.pid ?? null);
}

/** @param {App} app */
function lastExitOf({ link }) {
  return link.snapshot?.slots[0]?.lastExit ?? null;
}
