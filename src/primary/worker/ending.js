/**
 * The end of a worker. When it is wanted: the stop signal (or message), `kill_timeout`, then
 * SIGKILL. Once the worker is dead, wanted or not: SIGKILL to what is left of its process tree.
 */
import { descendantsOf, killLeftovers, untilGone } from '../processes/tree.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { ProcessIdentity } from '../../shared/process-identity.js'
 * @import { Launch } from '../pool/generation.js'
 * @import { Remains } from '../processes/previous.js'
 */

export class Termination {
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {readonly ProcessIdentity[]} */
  #tree = [];
  #isGone = false;

  /**
   * @param {object} worker
   * @param {ChildProcess} worker.child
   * @param {Launch} worker.launch its settings may change while it lives
   * @param {boolean} worker.ownsGroup
   * @param {string} worker.mark
   * @param {Remains} remains
   */
  constructor({ child, launch, ownsGroup, mark }, remains) {
    this.child = child;
    this.launch = launch;
    this.ownsGroup = ownsGroup;
    this.mark = mark;
    this.remains = remains;
  }

  /**
   * The tree is looked at first: afterwards its orphans could not be told from strangers.
   * @param {NodeJS.Signals} [signal] instead of what the spec says
   */
  begin(signal) {
    const { child } = this;
    const { spec } = this.launch;
    this.#timer = setTimeout(() => child.kill('SIGKILL'), spec.killTimeoutMs);
    this.#look().then(() => {
      if (this.#isGone) return;
      if (signal) child.kill(signal);
      else if (spec.shutdownWithMessage && child.connected) child.send('shutdown', () => {});
      else child.kill(spec.killSignal);
    });
  }

  /**
   * The worker is dead.
   * @returns {Promise<void>} when nothing of it is left; never rejects
   */
  async gone() {
    this.#isGone = true;
    clearTimeout(this.#timer);
    if (!this.launch.spec.treekill) return;
    killLeftovers(this.#tree);
    if (this.ownsGroup) killGroup(this.child.pid);
    await this.remains.end(this.mark);
    await untilGone(this.#tree);
  }

  async #look() {
    if (this.child.pid === undefined || !this.launch.spec.treekill) return;
    try {
      this.#tree = await descendantsOf(this.child.pid);
    } catch {
      // Without a list of processes only the worker itself, or its group, can be ended.
    }
  }
}

/** @param {number | undefined} leader of a group: its number is not given again while any is left */
function killGroup(leader) {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody was left.
  }
}
