/** Collects the parts of one line in limited memory: a line that is too long is truncated. */

/**
 * In bytes. The primary writes shorter lines, even as JSON: 256 KiB, escaped to at most six times that.
 */
export const MAX_LINE = 2 * 1024 * 1024;

export class BoundedLine {
  /** @type {Buffer[]} */
  #parts = [];
  #bytes = 0;
  #droppedBytes = 0;

  get isEmpty() {
    return this.#bytes === 0;
  }

  /** @param {Buffer} part must not be modified afterwards */
  append(part) {
    this.#parts.push(part);
    this.#bytes += part.length;
    this.#dropSurplus();
  }

  /** @param {Buffer} part must not be modified afterwards */
  prepend(part) {
    this.#parts.unshift(part);
    this.#bytes += part.length;
    this.#dropSurplus();
  }

  /** @returns {Buffer} the line; this object is then empty, ready for the next one */
  take() {
    const parts = this.#parts;
    if (this.#droppedBytes > 0) parts.push(Buffer.from(` … ${this.#droppedBytes} more bytes`));
    this.#parts = [];
    this.#bytes = 0;
    this.#droppedBytes = 0;
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }

  #dropSurplus() {
    while (this.#bytes > MAX_LINE) {
      const last = /** @type {Buffer} */ (this.#parts.pop());
      const surplus = Math.min(last.length, this.#bytes - MAX_LINE);
      if (surplus < last.length) this.#parts.push(last.subarray(0, last.length - surplus));
      this.#bytes -= surplus;
      this.#droppedBytes += surplus;
    }
  }
}
