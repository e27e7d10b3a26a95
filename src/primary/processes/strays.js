/**
 * Stray processes: those that a worker started and that outlived it. They inherit a mark in their
 * environment, so they are found even when all their parents have exited.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintOf } from '../../shared/fingerprint.js';
import { markedProcesses } from './marked.js';
import { killProcesses, untilDead } from './tree.js';

/** Ends the mark of a health check of a worker. */
const CHECK = '-check';
/** A process forked during a search is found in the next one; the limit is for fork bombs. */
const MAX_SEARCHES = 5;
/** After a search that failed, for which this process may have had no descriptor left. */
const RETRY_MS = 200;

export class StrayProcesses {
  /** Of all marks of this app, whichever primary made them. */
  #appPrefix;
  /** Of the marks that this primary made. */
  #ownPrefix;
  /** Marks of dead workers, for the next search. @type {Set<string>} */
  #marks = new Set();
  /** @type {Promise<void>} */
  #currentSearch = Promise.resolve();
  /** @type {Promise<void> | null} */
  #nextSearch = null;

  /** @param {string} home @param {string} app its name */
  constructor(home, app) {
    this.#appPrefix = `${fingerprintOf(`${home}\0${app}`)}-`;
    this.#ownPrefix = `${this.#appPrefix}${randomDigits()}-`;
  }

  /** @returns {string} unique to one worker on the whole machine */
  newMark() {
    return this.#ownPrefix + randomDigits();
  }

  /**
   * Kills the stray processes of a dead worker. One search serves workers that died together.
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
        return killMarked((found) => marks.has(workerMarkOf(found)));
      });
      this.#currentSearch = this.#nextSearch;
    }
    return this.#nextSearch;
  }

  /**
   * Kills what this app's earlier primaries and their workers left: health checks, whose primary is
   * dead, and stray processes of workers.
   * @param {object} options
   * @param {boolean} options.treekill false: only health checks
   * @param {ReadonlySet<string>} options.spared marks of workers that are still alive
   * @returns {Promise<void>} never rejects
   */
  killOfEarlierPrimaries({ treekill, spared }) {
    return killMarked(
      (found) =>
        found.startsWith(this.#appPrefix) &&
        !found.startsWith(this.#ownPrefix) &&
        (found.endsWith(CHECK) || (treekill && !spared.has(found))),
    );
  }

  /** @returns {Promise<void>} when all requested searches are over */
  whenIdle() {
    return this.#nextSearch ?? this.#currentSearch;
  }
}

/**
 * @param {string} mark of a worker
 * @returns {string} of its health checks, which end with it
 */
export function markOfCheck(mark) {
  return mark + CHECK;
}

/** They have to be unique, not secret. @returns {string} 13 hexadecimal digits */
function randomDigits() {
  return Math.floor(Math.random() * 2 ** 52)
    .toString(16)
    .padStart(13, '0');
}

/** @param {string} mark */
function workerMarkOf(mark) {
  return mark.endsWith(CHECK) ? mark.slice(0, -CHECK.length) : mark;
}

/** @param {(mark: string) => boolean} matches */
async function killMarked(matches) {
  for (let search = 0; search < MAX_SEARCHES; search++) {
    try {
      const found = await markedProcesses(matches);
      if (killProcesses(found) === 0) return;
      await untilDead(found);
    } catch {
      await sleep(RETRY_MS);
    }
  }
}
