/**
 * The end of a worker that is no longer wanted: the stop signal (or message), `kill_timeout`,
 * then SIGKILL; and SIGKILL to what is left of its tree once it is dead.
 */
import { descendantsOf, killLeftovers } from './process-tree.js';

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {import('../shared/process-identity.js').ProcessIdentity} ProcessIdentity
 */

export class Termination {
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  /** @type {readonly ProcessIdentity[]} */
  #tree = [];
  #isGone = false;

  /**
   * @param {ChildProcess} child
   * @param {import('../config/spec.js').Spec} spec
   * @param {boolean} ownsGroup
   */
  constructor(child, spec, ownsGroup) {
    this.child = child;
    this.spec = spec;
    this.ownsGroup = ownsGroup;
  }

  /**
   * The tree is looked at first: afterwards its orphans could not be told from strangers.
   * @param {NodeJS.Signals} [signal] instead of what the spec says
   */
  begin(signal) {
    const { child, spec } = this;
    this.#timer = setTimeout(() => child.kill('SIGKILL'), spec.killTimeoutMs);
    this.#look().then(() => {
      if (this.#isGone) return;
      if (signal) child.kill(signal);
      else if (spec.shutdownWithMessage && child.connected) child.send('shutdown', () => {});
      else child.kill(spec.killSignal);
    });
  }

  /** The worker is dead. */
  gone() {
    this.#isGone = true;
    clearTimeout(this.#timer);
    killLeftovers(this.#tree);
    if (this.ownsGroup) killGroup(this.child.pid);
  }

  async #look() {
    if (this.child.pid === undefined) return;
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
