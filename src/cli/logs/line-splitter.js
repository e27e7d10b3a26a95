/** Splits the chunks of a file into lines, with a bound on the memory of one line. */

const NEWLINE = 0x0a;
/**
 * Bytes; the rest of a longer line is dropped. The primary writes shorter lines, also as JSON
 * (256 KiB, of which each byte may take six).
 */
export const MAX_LINE = 2 * 1024 * 1024;

export class LineSplitter {
  /** @type {Buffer[]} */
  #parts = [];
  #bytes = 0;
  #droppedBytes = 0;

  /**
   * @param {Buffer} chunk must not be modified afterwards
   * @returns {Buffer[]} the lines that end in it, without newlines
   */
  push(chunk) {
    const lines = [];
    let from = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, from)) !== -1; from = end + 1) {
      this.#add(chunk.subarray(from, end));
      lines.push(joinLine(this.#parts, this.#droppedBytes));
      this.#parts = [];
      this.#bytes = 0;
      this.#droppedBytes = 0;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    return lines;
  }

  /** @returns {boolean} whether a line has begun and not ended */
  get isWithinLine() {
    return this.#bytes > 0;
  }

  /** @param {Buffer} part */
  #add(part) {
    const kept = part.subarray(0, MAX_LINE - this.#bytes);
    this.#droppedBytes += part.length - kept.length;
    this.#bytes += kept.length;
    if (kept.length > 0) this.#parts.push(kept);
  }
}

/**
 * @param {Buffer[]} parts of one line
 * @param {number} droppedBytes of the same line
 * @returns {Buffer}
 */
export function joinLine(parts, droppedBytes) {
  if (parts.length === 1 && droppedBytes === 0) return parts[0];
  const mark = droppedBytes > 0 ? ` … ${droppedBytes} bytes more` : '';
  return Buffer.concat([...parts, Buffer.from(mark)]);
}
