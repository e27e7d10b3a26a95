/** When a worker is started again, and when nodecluster gives up on it. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const restarts = [
  {
    key: 'autorestart',
    type: type.boolean,
    default: true,
    description: 'Whether a process that exits is started again.',
    flag: {
      brief: 'let the app end when its program exits',
      help: 'Let the app end when its program exits. Default: it is started again.',
    },
  },
  {
    key: 'stop_exit_codes',
    type: list.exitCodes,
    default: [],
    description:
      'Exit codes that mean that the work is done, so that the process is not started again.',
    flag: { takes: 'codes' },
    pm2: [{ flags: '--stop-exit <codes>' }],
  },
  {
    key: 'min_uptime',
    type: type.duration(),
    default: '1s',
    description:
      'Time that a worker must run, once it listens, before a command says that it has started; if it exits earlier, the command fails. A program that never listens is online only then. `start` waits no longer than `listen_timeout`. The first new worker of a reload must run as long before it replaces an old one and the others follow.',
  },
  {
    key: 'max_restarts',
    type: type.integer(),
    default: 12,
    description:
      'Number of unexpected exits of a worker that are allowed within `restart_window`. After more, it stays `errored` until `nodecluster start` tries again.',
    flag: { takes: 'number' },
  },
  {
    key: 'restart_window',
    type: type.duration({ min: 1 }),
    default: '1m',
    description:
      'The sliding time window in which `max_restarts` counts. Time that a worker spends on a start that fails does not count.',
  },
  {
    key: 'restart_delay',
    type: type.duration(),
    default: 0,
    description: 'Minimum delay before a restart. Without it, the first restart is immediate.',
  },
  {
    key: 'exp_backoff_restart_delay',
    type: type.duration(),
    default: '100ms',
    description:
      'Delay before the second restart within `restart_window`. It doubles with each further restart.',
  },
  {
    key: 'max_restart_delay',
    type: type.duration(),
    default: '5s',
    description: 'Upper limit of the doubled delay.',
  },
  {
    key: 'hang_timeout',
    type: type.duration({ min: 5000 }),
    defaultText: 'never',
    inForkMode: ', where event loops are not watched',
    description:
      'A worker whose event loop has been blocked for this long is killed 2 to 4 s later (SIGABRT, after `kill_timeout` SIGKILL) and restarted. One that has been blocked since its start is given at least `listen_timeout`. Cluster mode only. Without this option, such a worker is shown as `unresponsive` and left alone.',
  },
];
