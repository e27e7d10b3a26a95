/** Lines from the chunks of a file, forward and backward, each line in limited memory. */
/** @import { FileHandle } from 'node:fs/promises' */

/**
 * In bytes. The primary writes shorter lines, even as JSON: 256 KiB, escaped to at most six times that.
 */
export const MAX_LINE = 2 * 1024 * 1024;

const NEWLINE = 0x0a;
const BLOCK = 64 * 1024;

/** Collects the parts of one line; a line that is too long is truncated. */
class BoundedLine {
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

/** Splits the chunks of a file into lines. */
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

/**
 * Reads the lines of a file from its end, in blocks, so that memory use does not grow with it.
 * @param {FileHandle} handle
 * @param {number} size bytes of the file to read
 * @returns {AsyncGenerator<{offset: number, line: Buffer}>} the last line first, even if it has
 *   no newline
 */
export async function* linesBackward(handle, size) {
  /** The line that begins in an earlier block. */
  const pending = new BoundedLine();
  let isEnd = true;
  for (let from = size; from > 0;) {
    const length = Math.min(BLOCK, from);
    from -= length;
    const block = await readBlock(handle, from, length);
    let end = block.length;
    // The newline of the last line does not start another one.
    if (isEnd && block[end - 1] === NEWLINE) end -= 1;
    isEnd = false;
    for (let at; (at = lastNewline(block, end)) !== -1; end = at) {
      pending.prepend(block.subarray(at + 1, end));
      yield { offset: from + at + 1, line: pending.take() };
    }
    pending.prepend(block.subarray(0, end));
  }
  if (size > 0) yield { offset: 0, line: pending.take() };
}

/**
 * @param {Buffer} block
 * @param {number} end exclusive
 */
function lastNewline(block, end) {
  return end === 0 ? -1 : block.lastIndexOf(NEWLINE, end - 1);
}

/**
 * @param {FileHandle} handle
 * @param {number} position
 * @param {number} length
 * @returns {Promise<Buffer>} shorter if the file was truncated meanwhile
 */
async function readBlock(handle, position, length) {
  const block = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(block, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}
