/** When a worker is started again, and when no more. */
import * as list from '../types/lists.js';
import * as type from '../types/values.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const restarts = [
  {
    key: 'autorestart',
    spec: 'autorestart',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description: 'Whether a process that ends is started again.',
    example: false,
    flag: {
      negated: true,
      help: 'Leave a process that ended as it is; without this it is started again.',
    },
  },
  {
    key: 'stop_exit_codes',
    spec: 'stopExitCodes',
    type: list.exitCodeList,
    default: [],
    needs: 'nothing',
    description: 'Exit codes that mean the work is done, so that the process is not started again.',
    example: [0],
    flag: { takes: 'codes' },
  },
  {
    key: 'min_uptime',
    spec: 'minUptimeMs',
    type: type.duration(),
    default: '1s',
    needs: 'nothing',
    description:
      'How long a program that never listens on a port must run to count as online, and any new version before a reload goes on.',
    example: '5s',
    flag: { takes: 'duration' },
  },
  {
    key: 'max_restarts',
    spec: 'maxRestarts',
    type: type.integer(),
    default: 12,
    needs: 'nothing',
    description:
      'How many unexpected ends of a worker are forgiven within `restart_window`; after them it stays `errored`.',
    example: 5,
    flag: { takes: 'number' },
  },
  {
    key: 'restart_window',
    spec: 'restartWindowMs',
    type: type.duration({ min: 1 }),
    default: '1m',
    needs: 'nothing',
    description:
      'The time in which `max_restarts` counts; it slides. How long a worker was starting that never came online is not part of it, or one that takes long to fail would be started for ever.',
    example: '10m',
    flag: { takes: 'duration' },
  },
  {
    key: 'restart_delay',
    spec: 'restartDelayMs',
    type: type.duration(),
    default: 0,
    needs: 'nothing',
    description: 'The least wait before a restart. Without it the first restart is immediate.',
    example: '3s',
    flag: { takes: 'duration' },
  },
  {
    key: 'exp_backoff_restart_delay',
    spec: 'expBackoffRestartDelayMs',
    type: type.duration(),
    default: 100,
    needs: 'nothing',
    description:
      'The wait before the second restart within `restart_window`; it doubles with each further one.',
    example: '200ms',
    flag: { takes: 'duration' },
  },
  {
    key: 'max_restart_delay',
    spec: 'maxRestartDelayMs',
    type: type.duration(),
    default: '5s',
    needs: 'nothing',
    description: 'The longest wait that the doubling comes to.',
    example: '30s',
    flag: { takes: 'duration' },
  },
  {
    key: 'max_memory_restart',
    spec: 'maxMemoryRestartBytes',
    type: type.size({ min: 1024 ** 2 }),
    default: null,
    defaultText: 'no limit',
    needs: 'nothing',
    description:
      'A worker whose memory (RSS, looked at every 5 s) grows beyond this is replaced as in a reload: the new one first, no lost request. In fork mode the old one ends first.',
    example: '512M',
    flag: { takes: 'size' },
  },
  {
    key: 'hang_timeout',
    spec: 'hangTimeoutMs',
    type: type.duration({ min: 5000 }),
    default: null,
    defaultText: 'never',
    needs: 'nothing',
    description:
      'A worker whose event loop has been blocked for so long is killed (SIGABRT, after `kill_timeout` SIGKILL) and restarted; also one that has been blocked since its start, after `listen_timeout` at the earliest. Only in cluster mode. Without it such a worker is shown as `unresponsive` and left alone.',
    example: '30s',
    flag: { takes: 'duration' },
  },
];
