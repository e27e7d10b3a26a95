/** Passes what one worker writes to the logs of its app, and keeps its last lines. */
import { within } from '../../shared/deadline.js';
import { LastLines } from './last-lines.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { WorkerHandle } from '../worker/handle.js'
 */

/** The longest wait for a dead worker's pipes to close: stray processes may hold them open. */
const PIPE_TIMEOUT_MS = 500;
/** Of stdout, to which pino and winston write errors too. */
const MAX_OUT_LINES = 3;

export class WorkerOutput {
  #errorLines = new LastLines();
  #outLines = new LastLines();
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();
  /** @type {Promise<unknown>} */
  #written = Promise.resolve();

  /** @param {ChildProcess} child @param {Pick<WorkerHandle, 'slot' | 'logs' | 'parts'>} worker */
  attach({ stdout, stderr }, { slot, logs, parts }) {
    const ofStdout = (/** @type {Buffer} */ chunk) => this.#outLines.add(chunk);
    const ofStderr = (/** @type {Buffer} */ chunk) => this.#errorLines.add(parts.stderr(chunk));
    this.#ended = Promise.all([
      stdout && logs.follow(stdout, { slot, name: 'out', filter: ofStdout }),
      stderr && logs.follow(stderr, { slot, name: 'error', filter: ofStderr }),
    ]);
    this.#written = this.#ended.then(() => logs.flushed());
  }

  /** @param {string} line that the worker could not write itself */
  add(line) {
    this.#errorLines.add(Buffer.from(`${line}\n`));
  }

  /** Of stderr or, if there are none, of stdout. */
  get linesSoFar() {
    const lines = this.#errorLines.lines();
    return lines.length > 0 ? lines : this.#outLines.lines().slice(-MAX_OUT_LINES);
  }

  /** @returns {Promise<string[]>} those that arrive in time */
  async lastLines() {
    await within(this.#ended, PIPE_TIMEOUT_MS);
    return this.linesSoFar;
  }

  /** @returns {Promise<void>} when everything that arrives in time is in the logs */
  async written() {
    await within(this.#written, PIPE_TIMEOUT_MS);
  }
}
