/** The output streams of workers, and how long they are still read before the primary exits. */
import { within } from '../../shared/deadline.js';

/** @import { LinePipe } from './line-pipe.js' */

/** Stray processes may hold streams open, and write, forever. The daemon waits longer than this. */
const SILENCE_TIMEOUT_MS = 500;
const END_TIMEOUT_MS = 2500;

export class OpenStreams {
  /** @type {Set<LinePipe>} */
  #pipes = new Set();
  #lastBytesMs = 0;

  /** @param {LinePipe} pipe @returns {Promise<void>} when it has ended */
  async add(pipe) {
    this.#pipes.add(pipe);
    await pipe.ended;
    this.#pipes.delete(pipe);
  }

  noteBytes() {
    this.#lastBytesMs = performance.now();
  }

  /**
   * @param {() => Promise<void>} flushed resolves when everything so far is written
   * @returns {Promise<void>} when everything that dead workers wrote is written
   */
  async end(flushed) {
    const endMs = performance.now() + END_TIMEOUT_MS;
    let seenMs;
    do {
      seenMs = this.#lastBytesMs;
      await flushed(); // which resumes streams that were paused
      await this.#endedOrSilent();
    } while (this.#pipes.size > 0 && this.#lastBytesMs > seenMs && performance.now() < endMs);
    for (const pipe of this.#pipes) pipe.endLine();
    await flushed();
  }

  async #endedOrSilent() {
    await within(Promise.all([...this.#pipes].map(({ ended }) => ended)), SILENCE_TIMEOUT_MS);
  }
}
