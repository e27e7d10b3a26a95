/**
 * The workers of the previous primary, which was killed. In cluster mode they notice, finish their
 * requests and exit by themselves; in fork mode they are stopped here. A worker that misses its
 * deadline is killed with everything that it started.
 */
import { poll } from '../../shared/deadline.js';
import { isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';
import { descendantsOf, killProcesses, untilDead } from './tree.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { RecordedWorker } from '../../shared/processes/records.js'
 * @import { StrayProcesses } from './strays.js'
 */

const POLL_MS = 100;
/** Added to the worker's own deadlines, since its event loop may be busy. */
const GRACE_MS = 1000;

export class PreviousWorkers {
  #strays;
  #onExit;
  /** @type {Set<RecordedWorker>} */
  #alive = new Set();
  /** Resolves when none of them is left; never rejects. @type {Promise<unknown>} */
  ended = Promise.resolve();

  /** @param {StrayProcesses} strays @param {() => void} onExit called for each */
  constructor(strays, onExit) {
    this.#strays = strays;
    this.#onExit = onExit;
  }

  /** @returns {RecordedWorker[]} those that have not exited */
  get alive() {
    return [...this.#alive];
  }

  /**
   * @param {readonly RecordedWorker[] | null | undefined} recorded null: there was no previous primary; undefined:
   *   it is not known which they are. In fork mode they are found by their marks, in cluster mode they end by themselves
   * @param {Spec} spec
   * @returns {Promise<void>} when new workers may start: at once in cluster mode; in fork mode when
   *   the old ones have exited, since they bind their ports themselves
   */
  async end(recorded, spec) {
    if (recorded === null || (recorded === undefined && spec.execMode === 'cluster')) return;
    this.#alive = new Set(recorded?.filter(isAlive));
    const spared = new Set(this.alive.map(({ mark }) => mark));
    const ends = this.alive.map((worker) => this.#end(worker, spec));
    ends.push(this.#strays.killOfEarlierPrimaries({ treekill: spec.treekill, spared }));
    this.ended = Promise.all(ends);
    if (spec.execMode === 'fork') await this.ended;
  }

  /** @param {RecordedWorker} worker @param {Spec} spec */
  async #end(worker, { drainTimeoutMs, killTimeoutMs, killSignal, treekill }) {
    const { pid, ownsGroup } = worker;
    const pidOrGroup = ownsGroup ? -pid : pid;
    if (ownsGroup) sendSignal(pidOrGroup, stopSignalOf(killSignal));
    const timeoutMs = ownsGroup ? killTimeoutMs : drainTimeoutMs + killTimeoutMs + GRACE_MS;
    await poll(() => !isAlive(worker), { timeoutMs, everyMs: POLL_MS });
    const tree = treekill && isAlive(worker) ? await descendantsOf(pid) : [];
    if (isCertain(worker)) sendSignal(pidOrGroup, 'SIGKILL');
    killProcesses(tree);
    if (treekill) await this.#strays.kill(worker.mark);
    await untilDead([worker, ...tree]);
    this.#alive.delete(worker);
    this.#onExit();
  }
}
