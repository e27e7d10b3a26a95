/** Starts a JavaScript program as a worker of node:cluster: unmodified, and as the main module. */
import cluster from 'node:cluster';
import { ownNode } from '../../shared/processes/launch.js';
import { policyOf } from '../sockets/policies.js';
import { withholdConnections } from '../sockets/admission.js';
import { requireDirectory, workerEnvironment } from './environment.js';
import { agentFile, nodeArgsOf } from './node-args.js';

/**
 * @import { Scheduling } from '../../lifecycle/effective-scheduling.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 * @import { Launched, Launcher } from './process.js'
 */

const agent = agentFile('main.cjs');

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
  const worker = cluster.fork(workerEnvironment(launch, slot, mark));
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

/**
 * The port of each worker's inspector. node:cluster counts upwards with each worker that it starts, so
 * that nobody knows the port after a reload. Here it is that of the slot: the port of `--inspect` plus
 * the number of the slot, and for a replacement, while the old worker has that, the same plus the number
 * of workers.
 */

/** https://nodejs.org/api/cli.html#--inspecthostport */
const DEFAULT_PORT = 9229;
const OPTION = /^--(inspect(-brk|-wait)?(-port)?|debug-port)(=|$)/;
const MAX_PORT = 65_535;

export class InspectPorts {
  /** Those of workers that have not exited. @type {Set<number>} */
  #taken = new Set();

  /**
   * @param {readonly string[]} nodeArgs
   * @param {number} slot
   * @param {number} workers how many the app has
   * @returns {number | undefined} undefined: it has no inspector, or no port is left for it
   */
  take(nodeArgs, slot, workers) {
    const base = basePort(nodeArgs);
    if (base === null) return undefined;
    const step = Math.max(workers, slot + 1);
    for (let port = base + slot; port <= MAX_PORT; port += step) {
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      return port;
    }
    return undefined;
  }

  /** @param {number} port of a worker that has exited */
  free(port) {
    this.#taken.delete(port);
  }
}

const inspectPorts = new InspectPorts();

/**
 * @param {readonly string[]} nodeArgs
 * @returns {number | null} null: they ask for no inspector, or for any port
 */
function basePort(nodeArgs) {
  const options = nodeArgs.filter((arg) => OPTION.test(arg));
  if (options.length === 0) return null;
  const given = options.flatMap((option) => /[=:](\d+)$/.exec(option)?.[1] ?? []).map(Number);
  const port = given.at(-1) ?? DEFAULT_PORT;
  return port === 0 ? null : port;
}
