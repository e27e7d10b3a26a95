/** What is done when something happens to an app. */
import { alarms as alarmsType } from '../types/alarms.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const alarms = [
  {
    key: 'on',
    type: alarmsType,
    default: [],
    description:
      'Alarms. Each has `event`, the type of an event or a pattern such as `worker.*`, or a list of them (`failed: true`: only those with an outcome that is a failure), and either `run`, a command without a shell, or `post`, a URL that gets the event as JSON. The command gets it on stdin, and runs in `cwd`, as the user and with the environment of the app. `headers`: more headers of the request; `${NAME}` in them and in `post` is a variable of the app. `timeout` (30s): of one attempt. `interval` (1m): events of one type are delivered at most once in this time, with their number. See [alarms.md](alarms.md).',
    example: [{ event: 'worker.errored', run: ['./notify.sh', 'it has given up'] }],
  },
];
