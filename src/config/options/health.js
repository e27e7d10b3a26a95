/** How a worker shows that it can serve, and what it counts. */
import { health as healthType } from '../types/health.js';
import { boolean } from '../types/values.js';

/** @import { GroupOption } from './option.js' */

/** @type {GroupOption[]} */
export const health = [
  {
    key: 'health',
    type: healthType,
    defaultText: 'no checks',
    description:
      'How each worker is checked. `http`: a path, requested of every worker by itself (2xx and 3xx are healthy), or a URL if a worker listens on several ports. `exec`: a command without a shell, which exits with 0 for a healthy worker and runs as the user and in the environment of the app, with its number (`instance_var`) and `NODECLUSTER_PID`. A check begins every `interval` (10s) and fails after `timeout` (5s). After `failures` (3) in a row the worker is unhealthy and is replaced as in a reload, unless every worker is. A new worker is online only after its first success; until `start_period` (30s) has passed, failures do not count. From then on a worker that has never passed has failed to start if another one passes. An unhealthy worker gets no new connections, except with `shared` scheduling. A path alone stands for `http`.',
    example: { http: '/health', interval: '10s' },
    flag: {
      brief: 'request this path of every worker, and replace those that fail',
      takes: 'path',
      help: 'Path that is requested of every worker: one is online once it has answered, and is replaced when it fails three times in a row. A file also has commands, times and counts. Default: no checks.',
    },
  },
  {
    key: 'program_metrics',
    type: boolean,
    default: true,
    description:
      'Whether `nodecluster metrics` also has what the program counts with `prom-client`, added up over the workers. The workers are asked only when the metrics are requested, and nothing is done where the program has not loaded `prom-client`.',
    example: false,
    flag: {
      negated: true,
      help: "Leave the program's own metrics (prom-client) out of `nodecluster metrics`. Default: they are in it, added up over the workers.",
    },
  },
];
