/** Programs that do one piece of work at given times. */
import { timeZone } from '../../config/types/cron.js';
import * as type from '../../config/types/values.js';

/**
 * @import { GroupOption } from '../../config/options/option.js'
 * @import { FeatureOptions } from '../options.js'
 */

/** @type {GroupOption[]} */
const options = [
  {
    key: 'schedule',
    type: type.cronPattern,
    description:
      'Makes the app a job: its program runs at these times, and not when the app is started. A cron pattern of five fields, or six with seconds first. Exit code 0, or one of `stop_exit_codes`, is success. A job has one process, in fork mode. To make a job of an app, or the other way round, needs a restart. See [jobs](../guides/jobs.md).',
    flag: { brief: 'run at these times, and not now: "*/5 * * * *"', takes: 'pattern' },
  },
  {
    key: 'timezone',
    type: timeZone,
    defaultText: "the daemon's own",
    description: 'The time zone of `schedule`, `cron_restart` and `log_rotate.rotate`.',
    flag: { takes: 'zone' },
  },
  {
    key: 'overlap',
    type: type.choice(['skip', 'queue', 'replace']),
    default: 'skip',
    description:
      'What happens if the last run has not ended when the next one is due. `skip`: that run is skipped. `queue`: it begins when the last one has ended; more than one do not wait. `replace`: the last one is stopped first.',
    flag: { takes: 'policy' },
  },
];

/** @type {FeatureOptions} */
export const jobs = { group: 'Jobs', options, settle };

/** A run is one process that nothing but its schedule starts. @type {NonNullable<FeatureOptions['settle']>} */
function settle(values, inputs, ofServices) {
  values.onDemand = Boolean(values.schedule);
  if (!inputs.has('schedule') && !inputs.has('cron_restart') && !values.log_rotate?.rotate) {
    inputs.get('timezone')?.report('has no meaning without schedule or cron_restart', 'key');
  }
  if (!values.schedule) return;
  const ofRuns = { instances: 1, exec_mode: 'fork', autorestart: false };
  for (const [key, value] of Object.entries(ofRuns))
    if (values[key] !== value) inputs.get(key)?.report(`must be ${value} with schedule`);
  const given = ofServices.filter((key) => (values[key] ?? null) !== null);
  for (const key of given) inputs.get(key)?.report('is not for an app with schedule');
  Object.assign(values, ofRuns);
}
