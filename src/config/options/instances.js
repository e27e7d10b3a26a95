/** The number of workers, and how they share connections. */
import { instances as instancesType, countOrShare } from '../types/instances.js';
import * as type from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const instances = [
  {
    key: 'instances',
    type: instancesType,
    default: 1,
    needs: 'scale',
    description:
      'Number of processes that run the program. `max` or `0` means one for each core, `-1` all cores but one, `-3` all but three (at least one). The CPU limit of a container counts, rounded down; when it changes, workers are added or drained. A map (`{min: 2, max: max, elu: 0.8, cooldown: 5m}`, each part optional), or `2..max`, is an app that scales itself: it gets more workers at once when their event loops are busier than `elu` on average, and fewer when the load has stayed low for `cooldown`: see [how an app scales itself](autoscaling.md). Cluster mode only.',
    flag: {
      brief: 'number of workers; max: one for each core; 2..max: by load',
      short: '-i',
      takes: 'number',
    },
  },
  {
    key: 'ready_min',
    type: countOrShare,
    default: 1,
    description:
      'Number of workers that must be ready for `/ready` to answer 200, or a percentage of them, rounded up; never more than the app has. `0`: the app does not count.',
    flag: { takes: 'number' },
  },
  {
    key: 'exec_mode',
    type: type.choice(['cluster', 'fork'], { cluster_mode: 'cluster', fork_mode: 'fork' }),
    defaultText: '`cluster` for programs that Node runs, otherwise `fork`',
    needs: 'restart',
    description:
      'How the program runs. `cluster`: the processes share their ports and are replaced without a lost request. `fork`: plain processes, for every other program; a reload stops each one before its successor starts.',
    flag: { takes: 'mode' },
    pm2: [
      { flags: '-x, --execute-command', value: 'fork' },
      { keys: ['execute_command'], advice: 'use exec_mode: fork' },
    ],
  },
  {
    key: 'scheduling',
    type: type.choice(['fair', 'round-robin', 'shared', 'sticky'], { reuseport: 'fair' }),
    default: 'fair',
    needs: 'reload',
    inForkMode: ', where workers share no connections',
    description:
      'How connections are distributed to the workers of a cluster. `fair`: the workers accept them directly, and one that has more than its share of open connections hands over the surplus. On Linux with Node 22.12 or later two workers each share a socket, over which the kernel spreads them, so that a connection wakes two workers; elsewhere, and at unix sockets, it wakes every idle one. `round-robin`: the primary accepts them and gives one to each worker in turn, which takes about twice the CPU time for a connection. `shared`: as `fair`, but nothing is handed over, so they are spread unevenly, and a worker that should get no traffic accepts its share until it is replaced. `sticky`: all connections of one client address go to the same worker, which socket.io needs for long-polling; the default of [programs that import it](recipes/socket.io.md).',
    flag: { takes: 'policy' },
  },
  {
    key: 'instance_var',
    type: type.variableName,
    default: 'NODE_APP_INSTANCE',
    needs: 'reload',
    description: 'The environment variable that contains the number of the worker, from 0.',
    flag: { takes: 'variable' },
  },
  {
    key: 'increment_var',
    type: type.variableName,
    needs: 'reload',
    description:
      'An environment variable with a whole number, to which the number of each worker is added: with `PORT`, every process gets its own port.',
    flag: { takes: 'variable' },
  },
];
