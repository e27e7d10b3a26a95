/** The last lines that a worker wrote to stderr: they explain its failure. */
import { quoteLines } from './quote-lines.js';

/** Enough for a stack trace. */
const MAX_BYTES = 4096;
const MAX_LINES = 20;

export class LastLines {
  #tail = Buffer.alloc(0);

  /** @param {Buffer} chunk */
  add(chunk) {
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-MAX_BYTES)]).subarray(-MAX_BYTES);
  }

  /** @returns {string[]} */
  lines() {
    const lines = this.#tail.toString('utf8').split('\n');
    if (this.#tail.length === MAX_BYTES && lines.length > 1) lines.shift();
    return quoteLines(lines.filter((line) => line.trim() !== '')).slice(-MAX_LINES);
  }
}
