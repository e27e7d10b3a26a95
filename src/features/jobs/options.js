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
  rejectUnless(
    'instances',
    values.instances === 1,
    'must be 1 with schedule: a job runs one process at a time',
  );
  rejectUnless('exec_mode', values.exec_mode === 'fork', 'must be fork with schedule');
  rejectUnless('autorestart', values.autorestart === false, 'must be false with schedule');
  for (const key of ofServices) {
    rejectUnless(
      key,
      values[key] === null || values[key] === undefined,
      'is not for an app with schedule',
    );
  }
  values.exec_mode = 'fork';
  values.autorestart = false;

  /** @param {string} key @param {boolean} isRight @param {string} text */
  function rejectUnless(key, isRight, text) {
    if (!isRight) inputs.get(key)?.report(text);
  }
}
