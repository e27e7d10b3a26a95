/** When a worker counts as started, and how it ends. */
import * as type from '../types/values.js';

/** @import { Member } from './table.js' */

/** @type {Member[]} */
export const startAndStop = [
  {
    key: 'wait_ready',
    spec: 'waitReady',
    type: type.boolean,
    default: false,
    needs: 'nothing',
    description: "Count a worker as online only when it has called `process.send('ready')`.",
    example: true,
    flag: {},
  },
  {
    key: 'listen_timeout',
    spec: 'listenTimeoutMs',
    type: type.duration({ min: 1 }),
    default: '10s',
    needs: 'nothing',
    description:
      'How long a new worker may take to listen (or to say `ready`). A reload that waits in vain keeps the old worker.',
    example: '30s',
    flag: { takes: 'duration' },
  },
  {
    key: 'drain_timeout',
    spec: 'drainTimeoutMs',
    type: type.duration(),
    default: '30s',
    needs: 'nothing',
    description:
      'How long a worker that is replaced or stopped may finish the requests that it has. What is still open then is cut and counted. One whose event loop is blocked is not waited for: it has `kill_timeout` to come back.',
    example: '1m',
    flag: { takes: 'duration' },
  },
  {
    key: 'hold_timeout',
    spec: 'holdTimeoutMs',
    type: type.duration(),
    default: '30s',
    needs: 'nothing',
    description:
      'How long the listening socket stays open when no worker is left and one is to come back. Clients wait meanwhile instead of being refused. While workers of a restart still drain it does not count. Also how long the daemon keeps it open without a primary.',
    example: '10s',
    flag: { takes: 'duration' },
  },
  {
    key: 'hold_connections',
    spec: 'holdConnections',
    type: type.integer({ min: 0 }),
    default: 1000,
    needs: 'nothing',
    description:
      'How many connections may wait while no worker is left (round-robin; with shared sockets the kernel keeps its own queue).',
    example: 5000,
    flag: { takes: 'count' },
  },
  {
    key: 'kill_signal',
    spec: 'killSignal',
    type: type.signal,
    default: 'SIGTERM',
    needs: 'nothing',
    description: "The signal that asks a worker to end. PM2's habit is SIGINT.",
    example: 'SIGINT',
    flag: { takes: 'signal' },
  },
  {
    key: 'kill_timeout',
    spec: 'killTimeoutMs',
    type: type.duration(),
    default: '5s',
    needs: 'nothing',
    description: 'How long after that signal what is left of the worker is killed (SIGKILL).',
    example: '10s',
    flag: { short: '-k', takes: 'duration' },
  },
  {
    key: 'treekill',
    spec: 'treekill',
    type: type.boolean,
    default: true,
    needs: 'nothing',
    description:
      'Whether everything that a worker has started ends with it, daemons included (all that has its `NODECLUSTER_WORKER` in the environment). `false` leaves it alone.',
    example: false,
    flag: { negated: true },
  },
  {
    key: 'shutdown_with_message',
    spec: 'shutdownWithMessage',
    type: type.boolean,
    default: false,
    needs: 'nothing',
    description:
      "Ask a worker to end with the message 'shutdown' (`process.on('message')`) instead of a signal.",
    example: true,
    flag: {},
  },
  {
    key: 'max_surge',
    spec: 'maxSurge',
    type: type.integer({ min: 1, max: 1000 }),
    default: 1,
    needs: 'nothing',
    description:
      'How many workers a reload replaces at the same time; so many may run beyond `instances` for a while.',
    example: 2,
    flag: { takes: 'number' },
  },
];
