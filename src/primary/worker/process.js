/**
 * The process of one worker: its channel, its agent and its exit. A stop sends `kill_signal` (or a
 * message), and SIGKILL after `kill_timeout`. After any exit, the rest of its process tree gets
 * SIGKILL.
 */
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';
import { descendantsOf, killProcesses, untilDead } from '../processes/tree.js';
import { AgentLink, askStopSignal } from './agent-link.js';
import { watchReports } from './agent-reports.js';
import { watchChannel } from './channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { ProcessIdentity } from '../../shared/processes/identity.js'
 * @import { AgentListener } from './agent-reports.js'
 * @import { ChannelListener } from './channel.js'
 * @import { WorkerHandle } from './handle.js'
 */

/**
 * @typedef {object} Launched
 * @property {ChildProcess} child
 * @property {boolean} hasAgent it can be asked to drain
 * @property {boolean} ownsGroup it leads a process group of its own
 *
 * @callback Launcher
 * @param {Pick<WorkerHandle, 'launch' | 'slot' | 'replaces' | 'mark'>} worker
 * @returns {Launched}
 * @throws what spawn throws
 *
 * @typedef {object} ProcessListener
 * @property {AgentListener} agent
 * @property {ChannelListener} channel
 * @property {(exit: Exit) => void} exited
 * @property {(error: NodeJS.ErrnoException) => void} failedToStart
 */

export class WorkerProcess {
  /** @type {AgentLink | null} */
  agent = null;
  /** @type {NodeJS.Timeout | undefined} */
  #killTimer;
  /** @type {readonly ProcessIdentity[]} */
  #tree = [];
  #hasExited = false;

  /**
   * @param {Launched} launched
   * @param {Pick<WorkerHandle, 'launch' | 'mark' | 'strays'>} worker
   * @param {ProcessListener} on
   */
  constructor({ child, hasAgent, ownsGroup }, { launch, mark, strays }, on) {
    this.child = child;
    this.ownsGroup = ownsGroup;
    // The spec is read when needed: settings may change while the worker runs.
    this.launch = launch;
    this.mark = mark;
    this.strays = strays;
    if (hasAgent) {
      this.agent = new AgentLink(child);
      this.agent.prepareForPrimaryDeath(launch.spec);
      this.agent.setKeepAlive(launch.spec.keepAliveTimeoutMs);
    }
    watchReports(child, on.agent);
    watchChannel(child, launch, on.channel);
    child.once('exit', (code, signal) => on.exited({ code, signal }));
    child.on('error', (error) => {
      if (child.pid === undefined) on.failedToStart(error);
    });
  }

  /** @param {NodeJS.Signals} [signal] sent instead of the `kill_signal` or message of the spec */
  stop(signal) {
    const { child } = this;
    const { spec } = this.launch;
    this.#killTimer = setTimeout(() => child.kill('SIGKILL'), spec.killTimeoutMs);
    // Listed before the stop: orphans of a dead worker look like any other process.
    const listed = this.#listTree();
    listed
      .then(() => signal ?? this.#stopSignal())
      .then((chosen) => {
        if (this.#hasExited) return;
        if (chosen === null) child.send('shutdown', () => {});
        else child.kill(chosen);
      });
  }

  /** @returns {Promise<NodeJS.Signals | null>} null: a message asks it to exit */
  async #stopSignal() {
    const { shutdownWithMessage, killSignal } = this.launch.spec;
    if (shutdownWithMessage && this.child.connected) return null;
    return stopSignalOf(killSignal, killSignal === 'auto' ? await askStopSignal(this.child) : null);
  }

  /** Call it after the exit. @returns when no stray process is left; never rejects */
  async cleanUp() {
    this.#hasExited = true;
    clearTimeout(this.#killTimer);
    this.agent?.close();
    if (!this.launch.spec.treekill) return;
    killProcesses(this.#tree);
    // The kernel does not reuse a pid while its process group has members.
    if (this.ownsGroup && this.child.pid) sendSignal(-this.child.pid, 'SIGKILL');
    await this.strays.kill(this.mark);
    await untilDead(this.#tree);
  }

  async #listTree() {
    if (this.child.pid === undefined || !this.launch.spec.treekill) return;
    try {
      this.#tree = await descendantsOf(this.child.pid);
    } catch {
      // Without a list of processes only the worker itself, or its group, can be killed.
    }
  }
}
