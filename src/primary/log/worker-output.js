/** What one worker writes: into the logs of its app, its last lines on stderr kept. */
import { LastWords } from './last-words.js';

/** How long the last lines of a dead worker may take to come through its pipes, in ms. */
const LAST_WORDS_MS = 500;

export class WorkerOutput {
  #lastWords = new LastWords();
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {number} slot
   * @param {import('./app-logs.js').AppLogs} logs
   */
  attach({ stdout, stderr }, slot, logs) {
    const seen = (/** @type {Buffer} */ chunk) => this.#lastWords.add(chunk);
    this.#ended = Promise.all([
      stdout && logs.follow(stdout, { slot, name: 'out' }),
      stderr && logs.follow(stderr, { slot, name: 'error', seen }),
    ]);
  }

  /** @param {string} line that the worker could not say itself */
  add(line) {
    this.#lastWords.add(Buffer.from(`${line}\n`));
  }

  /** @returns {Promise<string[]>} the last lines of its stderr, as far as they come soon */
  async lastWords() {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LAST_WORDS_MS)));
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
    return this.#lastWords.lines();
  }
}
