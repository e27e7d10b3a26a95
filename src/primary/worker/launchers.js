/** How the process of a worker is started: by node:cluster, or by spawn. */
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { ownNode } from '../../shared/processes/launch.js';
import { POLICIES } from '../sockets/policies.js';
import { withholdConnections } from '../sockets/admission.js';
import { workerEnvironment } from '../pool/launch.js';
import { InspectPorts, isNode, nodeArgsOf, ownFile } from './node-args.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { Launch } from '../pool/launch.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 * @import { Launcher } from './process.js'
 */

const clusterAgent = ownFile('agent/main.cjs');
const forkAgent = ownFile('agent/fork.cjs');
const inspectPorts = new InspectPorts();

/**
 * Fixed for the life of a primary, since node:cluster allows no change after the first fork.
 * @param {Spec['scheduling']} scheduling
 */
export function chooseScheduling(scheduling) {
  const { workersAccept } = POLICIES[scheduling];
  cluster.schedulingPolicy = workersAccept ? cluster.SCHED_NONE : cluster.SCHED_RR;
}

/**
 * Starts a JavaScript program as a worker of node:cluster: unmodified, and as the main module.
 * @param {Parameters<Launcher>[0]} worker
 * @param {ListeningSockets} sockets
 * @returns {ChildProcess}
 */
export function launchInCluster({ launch, slot, replaces, mark, parts }, sockets) {
  const { spec } = launch;
  requireDirectory(launch.cwd);
  const { nodeArgs, instances } = spec;
  const most = typeof instances === 'number' ? instances : instances.max;
  const inspectPort = inspectPorts.take(nodeArgs, slot, most);
  cluster.setupPrimary({
    exec: launch.script,
    args: spec.args,
    execArgv: nodeArgsOf(spec, launch.env, clusterAgent()),
    cwd: launch.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // node:cluster adds it if an argument begins with --inspect.
    inspectPort: inspectPort ?? 0,
  });
  process.execPath = ownNode();
  const worker = cluster.fork(workerEnvironment(launch, slot, mark));
  // Without a listener, an error while writing to a channel that breaks would crash the primary.
  worker.on('error', () => {
    // A worker that could not be forked never exits, and node:cluster would keep it forever.
    if (worker.process.pid !== undefined) return;
    delete cluster.workers?.[worker.id];
    inspectPorts.free(inspectPort);
  });
  worker.process.once('exit', () => inspectPorts.free(inspectPort));
  const mustProveItself = replaces || parts.firstCheck !== null;
  withholdConnections(worker.process, sockets, { slot, mustProveItself });
  sockets.fairSharing?.join(worker.process);
  return worker.process;
}

/**
 * Starts any other program: Python, a binary, a shell script, a cluster of its own.
 * @param {Parameters<Launcher>[0]} worker
 * @returns {ChildProcess}
 */
export function launchAsProcess({ launch, slot, mark }) {
  const { spec } = launch;
  requireDirectory(launch.cwd);
  const [command, ...args] = commandLine(launch);
  return spawn(command, args, {
    cwd: launch.cwd,
    env: workerEnvironment(launch, slot, mark),
    // Only Node understands the channel; other programs would inherit a useless descriptor.
    stdio: isNode(spec.interpreter)
      ? ['ignore', 'pipe', 'pipe', 'ipc']
      : ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** @param {Launch} launch */
function commandLine({ spec, script, env }) {
  if (spec.interpreter === null) return [script, ...spec.args];
  const args = isNode(spec.interpreter) ? nodeArgsOf(spec, env, forkAgent()) : spec.nodeArgs;
  return [spec.interpreter, ...args, script, ...spec.args];
}

/**
 * Otherwise spawn would blame the program: `spawn node ENOENT`.
 * @param {string} cwd
 * @throws {Error} if it does not exist
 */
function requireDirectory(cwd) {
  if (!existsSync(cwd)) throw new Error(`the working directory ${cwd} does not exist`);
}
