/** What one worker writes: into the log files of its app, its last lines on stderr kept. */
import { LastWords } from './last-words.js';
import { pipeLines } from './line-pipe.js';

/** How long the last lines of a dead worker may take to come through its pipes, in ms. */
const LAST_WORDS_MS = 500;

export class WorkerOutput {
  #lastWords = new LastWords();
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {{out: import('./log-file.js').LogFile, error: import('./log-file.js').LogFile}} logs
   */
  attach(child, { out, error }) {
    this.#ended = Promise.all([
      child.stdout && pipeLines(child.stdout, out),
      child.stderr && pipeLines(child.stderr, error, (chunk) => this.#lastWords.add(chunk)),
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
