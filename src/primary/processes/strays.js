/**
 * The workers of an earlier primary, which was killed. Those in cluster mode have noticed, serve
 * what they have and end by themselves; all others are asked to end, as a stop does. Who has not
 * ended in time gets SIGKILL, with all that it has started.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, isCertain } from '../../shared/process-identity.js';
import { descendantsOf, killLeftovers, untilGone } from './tree.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Remains } from './previous.js'
 * @import { Recorded } from './record.js'
 */

/** How often it is looked whether one has gone, in milliseconds. */
const LOOK_EVERY_MS = 100;
/** How much later than its own deadlines one may end; its event loop may be busy. In ms. */
const GRACE_MS = 1000;

export class Leftovers {
  #remains;
  #onEnded;
  /** @type {Set<Recorded>} */
  #present = new Set();
  /** When none of them is left; never rejects. @type {Promise<unknown>} */
  ended = Promise.resolve();

  /**
   * @param {Remains} remains
   * @param {() => void} onEnded called for each
   */
  constructor(remains, onEnded) {
    this.#remains = remains;
    this.#onEnded = onEnded;
  }

  /** @returns {Recorded[]} those that have not ended */
  get present() {
    return [...this.#present];
  }

  /**
   * @param {readonly Recorded[] | null} recorded null: there was no earlier primary
   * @param {Spec} spec
   * @returns {Promise<void>} when new workers may start: programs that bind their ports themselves
   *   have ended
   */
  async end(recorded, spec) {
    if (recorded === null) return;
    this.#present = new Set(recorded.filter(isAlive));
    const spared = new Set(this.present.map(({ mark }) => mark));
    const ends = this.present.map((worker) => this.#end(worker, spec));
    if (spec.treekill) ends.push(this.#remains.endEarlier(spared));
    this.ended = Promise.all(ends);
    if (this.present.some(({ ownsGroup }) => ownsGroup)) await this.ended;
  }

  /**
   * @param {Recorded} worker
   * @param {Spec} spec
   */
  async #end(worker, { drainTimeoutMs, killTimeoutMs, killSignal, treekill }) {
    if (worker.ownsGroup) send(worker, killSignal);
    const timeoutMs = worker.ownsGroup ? killTimeoutMs : drainTimeoutMs + killTimeoutMs + GRACE_MS;
    await hasEnded(worker, timeoutMs);
    const tree = treekill && isAlive(worker) ? await descendantsOf(worker.pid).catch(() => []) : [];
    if (isCertain(worker)) send(worker, 'SIGKILL');
    killLeftovers(tree);
    if (treekill) await this.#remains.end(worker.mark);
    await untilGone([worker, ...tree]);
    this.#present.delete(worker);
    this.#onEnded();
  }
}

/**
 * @param {Recorded} worker
 * @param {number} timeoutMs
 */
async function hasEnded(worker, timeoutMs) {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(worker) && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
}

/**
 * @param {Recorded} worker
 * @param {NodeJS.Signals} signal
 */
function send({ pid, ownsGroup }, signal) {
  try {
    process.kill(ownsGroup ? -pid : pid, signal);
  } catch {
    // It ended in between.
  }
}
