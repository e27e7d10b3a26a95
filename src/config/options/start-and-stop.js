/** When a worker is started again and when nodecluster gives up on it, when it counts as started, and how it is stopped. */
import { dependencies, exitCodes } from '../types/lists.js';
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
    type: exitCodes,
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
      'A worker whose event loop has been blocked for this long is killed 2 to 4 s later (SIGABRT, after `kill_timeout` SIGKILL) and restarted. One that has been blocked since its start is given at least `listen_timeout`. Cluster mode only. Without this option, such a worker is shown as `blocked` and left alone.',
  },
];

/** @type {GroupOption[]} */
export const startAndStop = [
  {
    key: 'wait_ready',
    type: type.boolean,
    default: false,
    description:
      "Count a worker as online only after it calls `process.send('ready')` or `process.send({ready: true})`.",
    flag: { brief: "online only after process.send('ready')" },
  },
  {
    key: 'listen_timeout',
    type: type.duration({ min: 1 }),
    default: '10s',
    description:
      'Time that a new worker has to listen (or to send `ready`). After it the start has failed; in a reload the old worker stays. But a program that has never listened counts as online then, and the command says that it listens on nothing. Waiting for a CPU does not count, up to ten times this.',
  },
  {
    key: 'keep_alive_timeout',
    type: type.duration({ min: 1000 }),
    defaultText: 'what the program sets; Node has 5 s',
    needs: 'reload',
    inForkMode: '; set keepAliveTimeout in the program',
    description:
      'Time for which the HTTP servers of the program keep an idle connection open. Behind a proxy it must be longer than the timeout of the proxy (nginx and the load balancer of AWS: 60 s): otherwise the proxy sends a request on a connection that Node is closing, and its client gets 502. `headersTimeout` is raised with it. A value that the program sets itself stays. Cluster mode only.',
  },
  {
    key: 'drain_timeout',
    type: type.duration(),
    default: '30s',
    description:
      'Time that a worker has to finish its requests before `kill_signal`, when it is replaced or stopped. What is still open then is closed and counted. A raw TCP connection that is silent is not waited for. A worker whose event loop is blocked gets only `kill_timeout` to become responsive. In fork mode `kill_signal` comes at once, and the program has to finish its requests itself.',
  },
  {
    key: 'shutdown_delay',
    type: type.duration(),
    default: 0,
    description:
      'Time for which an app accepts connections after it was asked to stop (SIGTERM of `run`, `stop`, `delete`, `kill`, the end of the service), while `/ready` says no, so that a load balancer can stop sending them. With several apps, the longest delay counts.',
  },
  {
    key: 'hold_timeout',
    type: type.duration(),
    default: '30s',
    description:
      'Time for which clients wait, and are not refused, while no worker is left and one is about to start, or the primary was killed. Time in which workers of a restart still drain does not count.',
  },
  {
    key: 'kill_signal',
    type: type.signal,
    default: 'auto',
    description:
      'The signal that asks a worker to exit. `auto`: SIGINT for a Node program that handles SIGINT and not SIGTERM, as is usual under PM2; SIGTERM for every other, and for a worker that does not reply within 1 s because its event loop is blocked.',
    flag: { takes: 'signal' },
  },
  {
    key: 'kill_timeout',
    type: type.duration(),
    default: '5s',
    description: 'Time from `kill_signal` to SIGKILL.',
    flag: {
      brief: 'time from the stop signal to SIGKILL (default: 5s)',
      short: '-k',
      takes: 'duration',
    },
    pm2: [
      {
        keys: ['kill_retry_time'],
        flags: '--kill-retry-time <ms>',
        note: 'nodecluster notices an exit at once; kill_timeout limits the wait',
      },
    ],
  },
  {
    key: 'treekill',
    type: type.boolean,
    default: true,
    description:
      'Whether every process that a worker started is stopped with it, including daemons. They get `kill_signal` when it has exited, and SIGKILL when `kill_timeout` is over. `false` leaves them running.',
    flag: {
      help: 'Leave processes running that a worker started. Default: they are stopped with it.',
    },
  },
  {
    key: 'shutdown_with_message',
    type: type.boolean,
    default: false,
    description:
      "Ask a worker to exit with the message 'shutdown' (the event `message` of `process`) in place of a signal.",
    flag: {},
  },
  {
    key: 'depends_on',
    type: dependencies,
    default: [],
    description:
      'Apps of the same file that come first: a list, or a map that says what each must be. `ready` (the meaning of a list): all its workers are online. `started`: its processes exist. `exited`: it has done its work and has exited with 0, as a migration does; such an app needs `autorestart: false` or `stop_exit_codes: [0]`, and runs again whenever a command but `apply` starts, reloads or restarts it. If one of them fails, the app is not touched; one that does not run waits on (`ls`: `waiting for db`). `stop`, `delete` and `kill` go the other way round.',
  },
  {
    key: 'max_surge',
    type: type.integer({ min: 0, max: 1000 }),
    default: 0,
    defaultText: '`0`: a quarter of the workers, at least 1',
    description:
      'Number of workers that a reload replaces at the same time, once the first new worker has stayed up for `min_uptime`. As many new workers boot as old ones finish their requests, so there are at most `instances` plus twice this number. A change of `interpreter` or `scheduling` has all new workers beside all old ones.',
    flag: { takes: 'number' },
  },
];
