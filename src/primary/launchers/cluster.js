/** Starts a JavaScript program as a worker of node:cluster, unmodified and as the main module. */
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { admitLate } from '../sockets/late-admission.js';
import { rescueUnacknowledged } from '../sockets/unacknowledged.js';
import { workerEnvironment } from './environment.js';

/**
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 * @import { Launched, Launcher } from './launched.js'
 */

const AGENT = fileURLToPath(new URL('../../agent/main.cjs', import.meta.url));

/**
 * Fixed for the life of a primary, since node:cluster allows no change after the first fork.
 * @param {'round-robin' | 'shared'} scheduling
 */
export function chooseScheduling(scheduling) {
  cluster.schedulingPolicy = scheduling === 'shared' ? cluster.SCHED_NONE : cluster.SCHED_RR;
}

/**
 * @param {Parameters<Launcher>[0]} order
 * @param {string} mark
 * @param {ListeningSockets} sockets
 * @returns {Launched}
 * @throws what spawn throws: the caller takes it as a death
 */
export function launchInCluster({ launch, slot, replaces }, mark, sockets) {
  const { spec } = launch;
  cluster.setupPrimary({
    exec: launch.script,
    args: spec.args,
    execArgv: ['--require', AGENT, ...spec.nodeArgs],
    cwd: launch.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    uid: spec.uid ?? undefined,
    gid: spec.gid ?? undefined,
  });
  const worker = cluster.fork(workerEnvironment(launch, slot, mark));
  // An error while writing to a channel that breaks would otherwise end the primary.
  worker.on('error', () => {
    // One that could not be forked never exits, and node:cluster would keep it for ever.
    if (worker.process.pid === undefined) delete cluster.workers?.[worker.id];
  });
  rescueUnacknowledged(worker.process);
  admitLate(worker.process, sockets, replaces);
  return {
    child: worker.process,
    hasAgent: true,
    ownsGroup: false,
  };
}
