/** Passes what one worker writes to the logs of its app, and keeps the last lines of its stderr. */
import { within } from '../../shared/deadline.js';
import { LastLines } from './last-lines.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** The longest wait for a dead worker's pipes to close: stray processes may hold them open. */
const PIPE_TIMEOUT_MS = 500;

export class WorkerOutput {
  #lastLines = new LastLines();
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();
  /** @type {Promise<unknown>} */
  #written = Promise.resolve();

  /** @param {ChildProcess} child @param {Pick<WorkerHandle, 'slot' | 'logs' | 'parts'>} worker */
  attach({ stdout, stderr }, { slot, logs, parts }) {
    const filter = (/** @type {Buffer} */ chunk) => {
      const written = parts.stderr(chunk);
      this.#lastLines.add(written);
      return written;
    };
    this.#ended = Promise.all([
      stdout && logs.follow(stdout, { slot, name: 'out' }),
      stderr && logs.follow(stderr, { slot, name: 'error', filter }),
    ]);
    this.#written = this.#ended.then(() => logs.flushed());
  }

  /** @param {string} line that the worker could not write itself */
  add(line) {
    this.#lastLines.add(Buffer.from(`${line}\n`));
  }

  get linesSoFar() {
    return this.#lastLines.lines();
  }

  /** @returns {Promise<string[]>} of stderr, those that arrive in time */
  async lastLines() {
    await within(this.#ended, PIPE_TIMEOUT_MS);
    return this.#lastLines.lines();
  }

  /** @returns {Promise<void>} when everything that arrives in time is in the logs */
  async written() {
    await within(this.#written, PIPE_TIMEOUT_MS);
  }
}
