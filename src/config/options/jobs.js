/** Programs that do one piece of work at given times. */
import { timeZone } from '../types/time-zone.js';
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const jobs = [
  {
    key: 'schedule',
    type: type.cronPattern,
    description:
      'Makes the app a job: its program runs at these times, and not when the app is started. A cron pattern of five fields, or six with seconds first. Exit code 0, or one of `stop_exit_codes`, is success; a run that fails is shown, and the next one is at the next time. A job has one process, in fork mode. See [jobs.md](jobs.md).',
    example: '*/5 * * * *',
    flag: { brief: 'run at these times, and not now: "*/5 * * * *"', takes: 'pattern' },
  },
  {
    key: 'timezone',
    type: timeZone,
    defaultText: "the daemon's own",
    description: 'The time zone of `schedule`.',
    example: 'Europe/Berlin',
    flag: { takes: 'zone' },
  },
  {
    key: 'overlap',
    type: type.choice(['skip', 'queue', 'replace']),
    default: 'skip',
    description:
      'What happens if the last run has not ended when the next one is due. `skip`: that run is left out. `queue`: it begins when the last one has ended; more than one do not wait. `replace`: the last one is stopped first.',
    example: 'queue',
    flag: { takes: 'policy' },
  },
];
