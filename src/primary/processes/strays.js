/**
 * Stray processes: what a worker has started and left behind. They inherit a mark in their
 * environment, so they are found even when nothing of their parentage is left.
 */
import { createHash, randomBytes } from 'node:crypto';
import { markedProcesses } from './marked.js';
import { killProcesses, untilDead } from './tree.js';

/** A process that forks during a search is found in the next one; a fork bomb is not waited for. */
const MAX_SEARCHES = 5;

export class StrayProcesses {
  /** Marks of this app begin with it, whichever primary made them. */
  #appPrefix;
  /** Marks that this primary made. */
  #ownPrefix;
  /** Marks of dead workers that the next search is for. @type {Set<string>} */
  #marks = new Set();
  /** @type {Promise<void>} */
  #currentSearch = Promise.resolve();
  /** @type {Promise<void> | null} */
  #nextSearch = null;

  /** @param {string} home @param {string} app its name */
  constructor(home, app) {
    const digest = createHash('sha256').update(`${home}\0${app}`).digest('hex');
    this.#appPrefix = `${digest.slice(0, 16)}-`;
    this.#ownPrefix = `${this.#appPrefix}${randomBytes(4).toString('hex')}-`;
  }

  /** @returns {string} unique to one worker, on the whole machine */
  newMark() {
    return this.#ownPrefix + randomBytes(8).toString('hex');
  }

  /**
   * Kills what a dead worker left. One search serves several workers that died together.
   * @param {string} mark
   * @returns {Promise<void>} never rejects
   */
  kill(mark) {
    this.#marks.add(mark);
    if (this.#nextSearch === null) {
      this.#nextSearch = this.#currentSearch.then(() => {
        const marks = this.#marks;
        this.#marks = new Set();
        this.#nextSearch = null;
        return killMarked((found) => marks.has(found));
      });
      this.#currentSearch = this.#nextSearch;
    }
    return this.#nextSearch;
  }

  /**
   * Kills what the workers of earlier primaries of this app left.
   * @param {ReadonlySet<string>} spared marks of workers that are still alive
   * @returns {Promise<void>} never rejects
   */
  killOfEarlierPrimaries(spared) {
    return killMarked(
      (found) =>
        found.startsWith(this.#appPrefix) &&
        !found.startsWith(this.#ownPrefix) &&
        !spared.has(found),
    );
  }

  /** @returns {Promise<void>} when all searches that were asked for are over */
  whenIdle() {
    return this.#nextSearch ?? this.#currentSearch;
  }
}

/** @param {(mark: string) => boolean} isTarget */
async function killMarked(isTarget) {
  try {
    for (let search = 0; search < MAX_SEARCHES; search++) {
      const found = await markedProcesses(isTarget);
      if (killProcesses(found) === 0) return;
      await untilDead(found);
    }
  } catch {
    // The list of processes could not be read.
  }
}
