/** Reads the lines of a file from its end, in blocks, so that its size does not matter. */
import { MAX_LINE, joinLine } from './line-splitter.js';

/** @import { FileHandle } from 'node:fs/promises' */

const NEWLINE = 0x0a;
const BLOCK = 64 * 1024;

/**
 * @param {FileHandle} handle
 * @param {number} size bytes of the file to read
 * @returns {AsyncGenerator<{offset: number, line: Buffer}>} the last line first, also if it has no
 *   newline
 */
export async function* linesBackward(handle, size) {
  const pending = new PendingLine();
  let isEnd = true;
  for (let from = size; from > 0;) {
    const length = Math.min(BLOCK, from);
    from -= length;
    const block = await readBlock(handle, from, length);
    let end = block.length;
    // The newline of the last line starts no further line.
    if (isEnd && block[end - 1] === NEWLINE) end -= 1;
    isEnd = false;
    for (let at; (at = lastNewline(block, end)) !== -1; end = at) {
      yield { offset: from + at + 1, line: pending.complete(block.subarray(at + 1, end)) };
    }
    pending.prepend(block.subarray(0, end));
  }
  if (size > 0) yield { offset: 0, line: pending.complete(Buffer.alloc(0)) };
}

/** A line whose beginning is in an earlier block; of a line that is too long, it drops the end. */
class PendingLine {
  /** In the order of the file. @type {Buffer[]} */
  #parts = [];
  #bytes = 0;
  #droppedBytes = 0;

  /** @param {Buffer} part */
  prepend(part) {
    if (part.length === 0) return;
    this.#parts.unshift(part);
    this.#bytes += part.length;
    while (this.#bytes > MAX_LINE) this.#dropEnd();
  }

  /** @param {Buffer} beginning */
  complete(beginning) {
    this.prepend(beginning);
    const line = joinLine(this.#parts, this.#droppedBytes);
    this.#parts = [];
    this.#bytes = 0;
    this.#droppedBytes = 0;
    return line;
  }

  #dropEnd() {
    const last = /** @type {Buffer} */ (this.#parts.pop());
    const surplus = Math.min(last.length, this.#bytes - MAX_LINE);
    if (surplus < last.length) this.#parts.push(last.subarray(0, last.length - surplus));
    this.#bytes -= surplus;
    this.#droppedBytes += surplus;
  }
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
