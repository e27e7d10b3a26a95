/**
 * What workers leave behind: processes that they started and that are not below them any more.
 * Each worker has a mark in its environment, which those inherit.
 */
import { createHash, randomBytes } from 'node:crypto';
import { markedProcesses } from './marked.js';
import { killLeftovers, untilGone } from './tree.js';

/** One that forks while it is looked for is found in the next round; a fork bomb is not waited for. */
const MAX_ROUNDS = 5;

export class Remains {
  /** Of the app, whichever primary it has. */
  #prefix;
  /** Of this primary's workers. */
  #ownPrefix;
  /** @type {Set<string>} marks of workers that are dead and were not looked for yet */
  #marks = new Set();
  /** @type {Promise<void>} */
  #running = Promise.resolve();
  /** @type {Promise<void> | null} a search that has not begun */
  #next = null;

  /**
   * @param {string} home
   * @param {string} app its name
   */
  constructor(home, app) {
    const digest = createHash('sha256').update(`${home}\0${app}`).digest('hex');
    this.#prefix = `${digest.slice(0, 16)}-`;
    this.#ownPrefix = `${this.#prefix}${randomBytes(4).toString('hex')}-`;
  }

  /** @returns {string} of one worker, and of no other anywhere */
  newMark() {
    return this.#ownPrefix + randomBytes(8).toString('hex');
  }

  /**
   * Ends what a dead worker has left. Several that died together are looked for at once.
   * @param {string} mark
   * @returns {Promise<void>} never rejects
   */
  end(mark) {
    this.#marks.add(mark);
    if (this.#next === null) {
      this.#next = this.#running.then(() => {
        const marks = this.#marks;
        this.#marks = new Set();
        this.#next = null;
        return endMarked((found) => marks.has(found));
      });
      this.#running = this.#next;
    }
    return this.#next;
  }

  /**
   * Ends what the workers of an earlier primary of this app have left.
   * @param {ReadonlySet<string>} spared marks of those that still live
   * @returns {Promise<void>} never rejects
   */
  endEarlier(spared) {
    const isOwn = (/** @type {string} */ found) => found.startsWith(this.#ownPrefix);
    return endMarked(
      (found) => found.startsWith(this.#prefix) && !isOwn(found) && !spared.has(found),
    );
  }

  /** @returns {Promise<void>} when everything that was asked for is done */
  get settled() {
    return this.#next ?? this.#running;
  }
}

/** @param {(mark: string) => boolean} isMeant */
async function endMarked(isMeant) {
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = await markedProcesses(isMeant);
      if (killLeftovers(found) === 0) return;
      await untilGone(found);
    }
  } catch {
    // Without a list of processes nobody can be found.
  }
}
