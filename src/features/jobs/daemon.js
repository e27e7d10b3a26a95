/** Apps with a `schedule`: their program runs at its times, and when `run-now` asks for it. */
import { NodeclusterError } from '../../errors/error.js';
import { isRunning, runNow } from './daemon/run.js';
import { Timetable } from './daemon/timetable.js';
import { describeExit, isExpectedExit } from '../../lifecycle/exits.js';
import { withoutNulls } from '../../shared/merge-patch.js';

/**
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { PastExit } from '../../protocol/shapes.js'
 * @import { Job } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { JobState } from './daemon/timetable.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryEvent } from '../../protocol/methods.js'
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
