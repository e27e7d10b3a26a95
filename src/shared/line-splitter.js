/** Splits a stream of bytes into lines. */

const NEWLINE = 0x0a;

/** Work and memory depend on the bytes, not on the number of chunks. */
export class LineSplitter {
  #maxBytes;
  #refuse;
  /** Buffer for the beginning of an incomplete line; it doubles when it is full. */
  #pending = Buffer.alloc(0);
  #length = 0;
  /** What a line has beyond #maxBytes. */
  #droppedBytes = 0;
  /** Bytes before the line that is incomplete. */
  offset = 0;

  /**
   * @param {number} maxBytes of a line without its newline
   * @param {() => void} [refuse] throws for a longer one; by default the line is truncated, and says so
   */
  constructor(maxBytes, refuse = () => {}) {
    this.#maxBytes = maxBytes;
    this.#refuse = refuse;
  }

  /** The lines that end in this chunk, without newlines. @param {Buffer} chunk must not be modified afterwards */
  *push(chunk) {
    let start = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, start)) !== -1; start = end + 1) {
      yield this.#complete(chunk.subarray(start, end));
    }
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  /** Whether the last chunk ended within a line. */
  get isWithinLine() {
    return this.#length > 0;
  }

  /** @param {Buffer} rest */
  #complete(rest) {
    this.offset += this.#length + this.#droppedBytes + rest.length + 1;
    if (this.#length === 0 && rest.length <= this.#maxBytes) return rest;
    this.#append(rest);
    if (this.#droppedBytes > 0) this.#put(Buffer.from(` … ${this.#droppedBytes} more bytes`));
    const line = this.#pending.subarray(0, this.#length);
    this.#pending = Buffer.alloc(0);
    this.#length = 0;
    this.#droppedBytes = 0;
    return line;
  }

  /** @param {Buffer} part */
  #append(part) {
    const room = this.#maxBytes - this.#length;
    if (part.length <= room) return this.#put(part);
    this.#refuse();
    this.#put(part.subarray(0, room));
    this.#droppedBytes += part.length - room;
  }

  /** @param {Buffer} part */
  #put(part) {
    const length = this.#length + part.length;
    if (length > this.#pending.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, this.#pending.length * 2));
      this.#pending.copy(grown, 0, 0, this.#length);
      this.#pending = grown;
    }
    part.copy(this.#pending, this.#length);
    this.#length = length;
  }
}
