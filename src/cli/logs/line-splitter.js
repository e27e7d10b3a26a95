/** Chunks of a file as its lines; what one line may take of the memory is bounded. */

const NEWLINE = 0x0a;
/**
 * Bytes; of a longer line the rest is counted, not kept. Lines of the primary are shorter, also as
 * JSON (256 KiB, of which each byte may take six).
 */
export const MAX_LINE = 2 * 1024 * 1024;

export class LineSplitter {
  /** @type {Buffer[]} */
  #parts = [];
  #keptBytes = 0;
  #leftOut = 0;

  /**
   * @param {Buffer} chunk not to be written to afterwards
   * @returns {Buffer[]} the lines that end in it, without their ends
   */
  push(chunk) {
    const lines = [];
    let from = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, from)) !== -1; from = end + 1) {
      this.#keep(chunk.subarray(from, end));
      lines.push(this.#take());
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
    return lines;
  }

  /** @returns {boolean} a line has begun and not ended */
  get isWithinLine() {
    return this.#keptBytes > 0;
  }

  /** @param {Buffer} part */
  #keep(part) {
    const kept = part.subarray(0, MAX_LINE - this.#keptBytes);
    this.#leftOut += part.length - kept.length;
    this.#keptBytes += kept.length;
    if (kept.length > 0) this.#parts.push(kept);
  }

  #take() {
    const line = wholeLine(this.#parts, this.#leftOut);
    this.#parts = [];
    this.#keptBytes = 0;
    this.#leftOut = 0;
    return line;
  }
}

/**
 * @param {Buffer[]} parts of one line, of MAX_LINE bytes at the most
 * @param {number} leftOut bytes of it that are not among them
 * @returns {Buffer}
 */
export function wholeLine(parts, leftOut) {
  if (parts.length === 1 && leftOut === 0) return parts[0];
  const mark = leftOut > 0 ? [Buffer.from(` … ${leftOut} bytes more`)] : [];
  return Buffer.concat([...parts, ...mark]);
}
