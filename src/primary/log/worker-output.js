/** What one worker writes: into the logs of its app, its last lines on stderr kept. */
import { LastWords } from './last-words.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { AppLogs } from './app-logs.js'
 */

/**
 * How long the last lines of a dead worker may take to come through its pipes, in ms: what it has
 * started may hold them open.
 */
const LAST_WORDS_MS = 500;

export class WorkerOutput {
  #lastWords = new LastWords();
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();
  /** @type {Promise<unknown>} */
  #written = Promise.resolve();

  /**
   * @param {ChildProcess} child
   * @param {number} slot
   * @param {AppLogs} logs
   */
  attach({ stdout, stderr }, slot, logs) {
    const seen = (/** @type {Buffer} */ chunk) => this.#lastWords.add(chunk);
    this.#ended = Promise.all([
      stdout && logs.follow(stdout, { slot, name: 'out' }),
      stderr && logs.follow(stderr, { slot, name: 'error', seen }),
    ]);
    this.#written = this.#ended.then(() => logs.flushed());
  }

  /** @param {string} line that the worker could not say itself */
  add(line) {
    this.#lastWords.add(Buffer.from(`${line}\n`));
  }

  /** @returns {string[]} the last lines of its stderr until now */
  get linesSoFar() {
    return this.#lastWords.lines();
  }

  /** @returns {Promise<string[]>} the last lines of its stderr, as far as they come soon */
  async lastWords() {
    await soon(this.#ended);
    return this.#lastWords.lines();
  }

  /** @returns {Promise<void>} when all of it is in the logs, as far as it comes soon */
  written() {
    return soon(this.#written);
  }
}

/** @param {Promise<unknown>} promise */
async function soon(promise) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, LAST_WORDS_MS)));
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
