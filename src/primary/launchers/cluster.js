/** Starts a JavaScript program as a worker of node:cluster: unmodified, and as the main module. */
import cluster from 'node:cluster';
import { ownNode } from '../../shared/processes/launch.js';
import { withholdConnections } from '../sockets/withhold.js';
import { policyOf } from '../sockets/policies.js';
import { agentFile } from './agent-file.js';
import { requireDirectory, workerEnvironment } from './environment.js';
import { InspectPorts } from './inspect-ports.js';
import { nodeArgsOf } from './node-args.js';

/**
 * @import { Scheduling } from '../../lifecycle/scheduling/effective-scheduling.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 * @import { Launched, Launcher } from '../worker/process.js'
 */

const agent = agentFile('main.cjs');
/** The agent removes it before the program runs. */
const KEEP_EXCLUSIVE = { NODECLUSTER_KEEP_EXCLUSIVE: '1' };
const inspectPorts = new InspectPorts();

/**
 * Fixed for the life of a primary, since node:cluster allows no change after the first fork.
 * @param {Scheduling} scheduling that takes effect
 */
export function chooseScheduling(scheduling) {
  const { workersAccept } = policyOf(scheduling);
  cluster.schedulingPolicy = workersAccept ? cluster.SCHED_NONE : cluster.SCHED_RR;
}

/** @param {Parameters<Launcher>[0]} worker @param {ListeningSockets} sockets @returns {Launched} */
export function launchInCluster({ launch, slot, replaces, mark, parts }, sockets) {
  const { spec } = launch;
  requireDirectory(launch.cwd);
  const inspectPort = inspectPorts.take(spec.nodeArgs, slot, mostInstances(spec));
  cluster.setupPrimary({
    exec: launch.script,
    args: spec.args,
    execArgv: nodeArgsOf(spec, launch.env, agent()),
    cwd: launch.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // node:cluster adds it if an argument begins with --inspect.
    inspectPort: inspectPort ?? 0,
  });
  process.execPath = ownNode();
  const worker = cluster.fork({
    ...workerEnvironment(launch, slot, mark),
    ...(spec.shareExclusive === false && KEEP_EXCLUSIVE),
  });
  // Without a listener, an error while writing to a channel that breaks would crash the primary.
  worker.on('error', () => {
    // A worker that could not be forked never exits, and node:cluster would keep it forever.
    if (worker.process.pid !== undefined) return;
    delete cluster.workers?.[worker.id];
    if (inspectPort !== undefined) inspectPorts.free(inspectPort);
  });
  if (inspectPort !== undefined) {
    worker.process.once('exit', () => inspectPorts.free(inspectPort));
  }
  const mustProveItself = replaces || parts.firstCheck !== null;
  withholdConnections(worker.process, sockets, { slot, mustProveItself });
  sockets.fairSharing?.join(worker.process);
  return { child: worker.process, hasAgent: true, ownsGroup: false };
}

/** @param {Parameters<Launcher>[0]['launch']['spec']} spec */
function mostInstances({ instances }) {
  return typeof instances === 'number' ? instances : instances.max;
}
