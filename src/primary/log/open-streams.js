/** The streams of workers that are read: what of them is still waited for when the primary ends. */
/** @import { LinePipe } from './line-pipe.js' */

/**
 * How long streams of dead workers may be silent, and how long they are read at the most: what a
 * worker has left behind may hold them open, and write, for ever. Less than the daemon waits.
 */
const SILENCE_MS = 500;
const END_MS = 2500;

export class OpenStreams {
  /** @type {Set<LinePipe>} */
  #pipes = new Set();
  #lastBytesMs = 0;

  /**
   * @param {LinePipe} pipe
   * @returns {Promise<void>} when it has ended
   */
  async add(pipe) {
    this.#pipes.add(pipe);
    await pipe.ended;
    this.#pipes.delete(pipe);
  }

  /** Bytes have come. */
  noteBytes() {
    this.#lastBytesMs = performance.now();
  }

  /**
   * @param {() => Promise<void>} flushed when all that has come is written
   * @returns {Promise<void>} when everything that dead workers wrote is
   */
  async end(flushed) {
    const endMs = performance.now() + END_MS;
    let seenMs;
    do {
      seenMs = this.#lastBytesMs;
      await flushed(); // which lets those read on that had to pause
      await this.#endedOrSilent();
    } while (this.#pipes.size > 0 && this.#lastBytesMs > seenMs && performance.now() < endMs);
    for (const pipe of this.#pipes) pipe.endLine();
    await flushed();
  }

  async #endedOrSilent() {
    let timer;
    const silent = new Promise((resolve) => (timer = setTimeout(resolve, SILENCE_MS)));
    await Promise.race([Promise.all([...this.#pipes].map(({ ended }) => ended)), silent]);
    clearTimeout(timer);
  }
}
