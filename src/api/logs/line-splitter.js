/** Splits the chunks of a file into lines. */
import { BoundedLine } from './bounded-line.js';

const NEWLINE = 0x0a;

export class LineSplitter {
  #line = new BoundedLine();

  /**
   * @param {Buffer} chunk must not be modified afterwards
   * @returns {Buffer[]} the lines that the chunk completes, without newlines
   */
  push(chunk) {
    const lines = [];
    let from = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, from)) !== -1; from = end + 1) {
      this.#line.append(chunk.subarray(from, end));
      lines.push(this.#line.take());
    }
    if (from < chunk.length) this.#line.append(chunk.subarray(from));
    return lines;
  }

  /** @returns {boolean} whether the last chunk ended within a line */
  get isWithinLine() {
    return !this.#line.isEmpty;
  }
}
