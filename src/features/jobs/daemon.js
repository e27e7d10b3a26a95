/** Apps with a `schedule`: their program runs at its times, and when `run-now` asks for it. */
import { NodeclusterError } from '../../errors/error.js';
import { jobEvent, jobOf, nextRunAt } from './daemon/view.js';
import { isRunning, runNow } from './daemon/run.js';
import { Timetable } from './daemon/timetable.js';

/** @import { MakeFeature } from '../../daemon/features.js' */

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
