/**
 * The process of one worker. A stop sends `kill_signal` (or a message), and SIGKILL after `kill_timeout`; after any exit,
 * what it has left below it gets the same.
 */
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { within } from '../../shared/deadline.js';
import { identify } from '../../shared/processes/identity.js';
import { stopSignalOf } from '../../shared/processes/signal.js';
import { descendantsOf, membersOf } from '../processes/tree.js';
import { channelTo } from './channel.js';
import { isNode } from '../../shared/package/root.js';
import { isRunning, ownNode } from '../../shared/processes/launch.js';
import { withholdConnections } from '../sockets/admission.js';
import {
  chooseInspectPort,
  workerEnvironment,
  mostWorkers,
  nodeArgsOf,
  ownFile,
} from '../pool/launch.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { ProcessIdentity } from '../../shared/processes/records.js'
 * @import { WorkerHandle } from './handle.js'
 * @import { Spec } from '../../config/spec.js'
 * @import { Killed, Reason } from '../../protocol/shapes.js'
 * @import { ListeningSockets } from '../sockets/listening-sockets.js'
 */

/**
 * Throws what spawn throws.
 * @typedef {(worker: Pick<WorkerHandle, 'launch' | 'slot' | 'replaces' | 'mark' | 'parts' | 'variables'>) => ChildProcess} Launcher
 */

/** @typedef {{left: readonly string[], killed?: Killed}} Departure `left`: the names of the processes that it left */

/** Node may report the exit of a dead worker this long after its channel has closed. */
const EXIT_REPORT_MS = 200;
/** The longest time between the request to stop a worker and the signal. */
const MAX_DELAY_MS = 1000;
/** The longest time until SIGKILL for what is left of a worker that died by itself: the next one may have to wait. */
const MAX_STRAY_MS = 1000;
/** @type {Reason} */
const CLOSED_CHANNEL = { kind: 'channel', what: 'closed' };

export class WorkerProcess {
  /** @type {NodeJS.Timeout | undefined} */
  #killTimer;
  /** @type {number | null} */
  #killAtMs = null;
  #isKilled = false;
  /** What asked it to exit; null: a message. @type {NodeJS.Signals | null} */
  #askedBy = null;
  /** What was below it when it was asked to exit; never rejects. @type {Promise<readonly ProcessIdentity[]>} */
  #tree = Promise.resolve([]);
  #hasExited = false;

  /** @param {ChildProcess} child @param {Pick<WorkerHandle, 'launch' | 'mark' | 'strays' | 'ownsGroup' | 'isServing' | 'end'>} worker */
  constructor(child, worker) {
    this.child = child;
    // Its spec is read when needed: settings may change while the worker runs.
    this.worker = worker;
    child.once('disconnect', () => worker.isServing && this.#onClosedChannel());
    keepStdinOpen(child);
    this.stdinEnd = watchStdin(child, worker.launch.spec);
  }

  /** The program has closed the channel, or has exited. */
  #onClosedChannel() {
    const { autorestart, stopExitCodes, drainTimeoutMs, killTimeoutMs } = this.worker.launch.spec;
    // If its exit code decides whether it is restarted, it gets the full time to exit.
    const exitDecides = !autorestart || stopExitCodes.length > 0;
    const waitMs = exitDecides ? drainTimeoutMs + killTimeoutMs : EXIT_REPORT_MS;
    const timer = setTimeout(() => {
      const mayRun = isRunning(this.child) && identify(this.child.pid ?? 0) !== null;
      if (!mayRun || !this.worker.isServing) return;
      const forMs = exitDecides ? 0 : drainTimeoutMs;
      this.worker.end({ drain: { forMs }, reason: CLOSED_CHANNEL });
    }, waitMs);
    this.child.once('exit', () => clearTimeout(timer));
  }

  /** @param {NodeJS.Signals} [signal] sent instead of the `kill_signal` or message of the spec */
  async stop(signal) {
    const { child } = this;
    const { killTimeoutMs, treekill } = this.worker.launch.spec;
    this.#killAtMs = performance.now() + killTimeoutMs;
    this.#killTimer = setTimeout(() => {
      this.#isKilled = true;
      child.kill('SIGKILL');
    }, killTimeoutMs);
    // Listed before the stop: orphans of a dead worker look like any other process.
    if (treekill && child.pid !== undefined) this.#tree = descendantsOf(child.pid);
    // Neither may use up the time in which the program can exit by itself.
    const limitMs = Math.min(MAX_DELAY_MS, killTimeoutMs / 2);
    const listed = within(this.#tree, limitMs);
    const [chosen] = await Promise.all([signal ?? this.#stopSignal(limitMs), listed]);
    if (this.#hasExited) return;
    this.#askedBy = chosen;
    if (chosen === null) child.send('shutdown', () => {});
    else child.kill(chosen);
  }

  /** @param {number} timeoutMs @returns {Promise<NodeJS.Signals | null>} null: a message asks it to exit */
  async #stopSignal(timeoutMs) {
    const { shutdownWithMessage, killSignal } = this.worker.launch.spec;
    if (shutdownWithMessage && this.child.connected) return null;
    if (killSignal !== 'auto') return killSignal;
    const handled = await channelTo(this.child).ask('stop-signal', {}, { timeoutMs });
    return stopSignalOf('auto', handled?.signal);
  }

  /** Call it after the exit. @returns {Promise<Departure>} when what it left has ended; never rejects */
  async cleanUp() {
    this.#hasExited = true;
    clearTimeout(this.#killTimer);
    channelTo(this.child).close();
    const { left, areKilled } = await this.#endStrays();
    if (!this.#isKilled && !areKilled) return { left };
    const { killTimeoutMs: afterMs, killSignal } = this.worker.launch.spec;
    const signal = this.#isKilled ? this.#askedBy : stopSignalOf(killSignal);
    return { left, killed: { workers: 1, afterMs, signal } };
  }

  async #endStrays() {
    const { strays, mark, ownsGroup, launch } = this.worker;
    const { treekill, killSignal, killTimeoutMs } = launch.spec;
    if (!treekill) return { left: [], areKilled: false };
    const group = ownsGroup && this.child.pid ? membersOf(this.child.pid) : [];
    const known = [...(await group), ...(await this.#tree)];
    const diesAtMs = performance.now() + Math.min(killTimeoutMs, MAX_STRAY_MS);
    const timeoutMs = (this.#killAtMs ?? diesAtMs) - performance.now();
    return strays.end(mark, { signal: stopSignalOf(killSignal), timeoutMs }, known);
  }
}

/** How the process of a worker is started: by node:cluster, or by spawn. */

const clusterAgent = ownFile('agent/main.cjs');
const forkAgent = ownFile('agent/fork.cjs');
/** Of workers that have not exited. @type {Set<number | undefined>} */
const inspectPorts = new Set();

// Each worker gets the socket; who accepts from it is not left to node:cluster.
cluster.schedulingPolicy = cluster.SCHED_NONE;

/**
 * Starts a JavaScript program as a worker of node:cluster: unmodified, and as the main module.
 * @param {Parameters<Launcher>[0]} worker
 * @param {ListeningSockets} sockets
 * @param {number} [input] the stdin of `run`
 */
export function launchInCluster(
  { launch, slot, replaces, mark, parts, variables },
  sockets,
  input,
) {
  const { spec } = launch;
  requireDirectory(launch.cwd);
  const inspectPort = chooseInspectPort(inspectPorts, spec.nodeArgs, slot, mostWorkers(spec));
  inspectPorts.add(inspectPort);
  const execArgv = nodeArgsOf(spec, launch.env, clusterAgent());
  cluster.setupPrimary({
    exec: launch.script,
    args: spec.args,
    execArgv,
    cwd: launch.cwd,
    stdio: [stdinOf(spec, input), 'pipe', 'pipe', 'ipc'],
    // node:cluster adds it if an argument begins with --inspect.
    inspectPort: inspectPort ?? 0,
  });
  process.execPath = ownNode();
  const worker = cluster.fork(workerEnvironment(launch, slot, mark, variables));
  // Without a listener, an error while writing to a channel that breaks would crash the primary.
  worker.on('error', () => {
    // A worker that could not be forked never exits, and node:cluster would keep it forever.
    if (worker.process.pid !== undefined) return;
    delete cluster.workers?.[worker.id];
    inspectPorts.delete(inspectPort);
  });
  worker.process.once('exit', () => inspectPorts.delete(inspectPort));
  const mustProveItself = replaces || parts.firstCheck() !== null;
  withholdConnections(worker.process, sockets, { slot, mustProveItself });
  sockets.fairSharing?.join(worker.process);
  return worker.process;
}

/**
 * Starts any other program: Python, a binary, a shell script, a cluster of its own.
 * @param {Parameters<Launcher>[0]} worker
 * @param {number} [input] the stdin of `run`
 */
export function launchAsProcess({ launch, slot, mark, variables }, input) {
  const { spec, script } = launch;
  const { interpreter } = spec;
  requireDirectory(launch.cwd);
  const options = isNode(interpreter) ? nodeArgsOf(spec, launch.env, forkAgent()) : spec.nodeArgs;
  const own = [script, ...spec.args];
  const command = interpreter === null ? own : [interpreter, ...options, ...own];
  return spawn(command[0], command.slice(1), {
    cwd: launch.cwd,
    env: workerEnvironment(launch, slot, mark, variables),
    // Only Node understands the channel; other programs would inherit a useless descriptor.
    stdio: [
      stdinOf(spec, input),
      'pipe',
      'pipe',
      ...(isNode(interpreter) ? /** @type {const} */ (['ipc']) : []),
    ],
    detached: true,
  });
}

/** Otherwise spawn would blame the program: `spawn node ENOENT`. @param {string} cwd */
function requireDirectory(cwd) {
  if (!existsSync(cwd)) throw new Error(`the working directory ${cwd} does not exist`);
}

/** What ends later than this after it was loaded has read an empty stdin and done something else since. */
const AT_ONCE_MS = 1000;

/**
 * Programs that read it end at its end, so it stays open. Not for a job, which would wait for lines that nobody writes,
 * and not where several workers serve the same port: a line is meant for one of them.
 * @param {Pick<Spec, 'execMode' | 'instances' | 'onDemand'>} spec
 * @param {number} [input] the stdin of `run`
 */
export function stdinOf(spec, input) {
  if (spec.onDemand) return 'ignore';
  if (mostWorkers(spec) <= 1) return input ?? 'pipe';
  return spec.execMode === 'fork' ? 'pipe' : 'ignore';
}

/** When this primary is killed, a program that ends at the end of its stdin must still finish its requests. @param {ChildProcess} child */
function keepStdinOpen(child) {
  const { stdin, pid } = child;
  if (!stdin || pid === undefined) return;
  // The program may close it.
  stdin.on('error', () => {});
  const { _handle: socket } = /** @type {{_handle?: object}} */ (/** @type {unknown} */ (stdin));
  channelTo(child).send('stdin', {}, { socket });
}

/**
 * @param {ChildProcess} child
 * @param {Spec} spec
 * @returns {(how: {code: number | null}) => {stdinEnded?: 'empty' | 'given'}} what to add to the reason
 */
function watchStdin(child, spec) {
  let loadedMs = performance.now();
  /** @type {number | null} */
  let endedMs = null;
  const channel = channelTo(child);
  channel.on('loaded', () => (loadedMs = performance.now()));
  channel.on('exiting', ({ hasStdinEnded }) => {
    if (hasStdinEnded === true) endedMs = performance.now();
  });
  return ({ code }) => {
    if (endedMs === null || code !== 0) return {};
    if (stdinOf(spec) !== 'ignore') return { stdinEnded: 'given' };
    return endedMs - loadedMs < AT_ONCE_MS ? { stdinEnded: 'empty' } : {};
  };
}
