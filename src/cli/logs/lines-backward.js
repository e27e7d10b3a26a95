/** The lines of a file from its end, read in blocks: the size of the file does not matter. */
import { MAX_LINE, wholeLine } from './line-splitter.js';

/** @import { FileHandle } from 'node:fs/promises' */

const NEWLINE = 0x0a;
const BLOCK = 64 * 1024;

/**
 * @param {FileHandle} handle
 * @param {number} size bytes of the file that count
 * @returns {AsyncGenerator<{offset: number, line: Buffer}>} the last line first, whether it has an
 *   end or not
 */
export async function* linesBackward(handle, size) {
  const rest = new Rest();
  let isEnd = true;
  for (let from = size; from > 0;) {
    const length = Math.min(BLOCK, from);
    from -= length;
    const block = await blockAt(handle, from, length);
    let end = block.length;
    // The end of the last line is not the begin of another.
    if (isEnd && block[end - 1] === NEWLINE) end -= 1;
    isEnd = false;
    for (let at; (at = lastNewline(block, end)) !== -1; end = at) {
      yield { offset: from + at + 1, line: rest.prefixedBy(block.subarray(at + 1, end)) };
    }
    rest.put(block.subarray(0, end));
  }
  if (size > 0) yield { offset: 0, line: rest.prefixedBy(Buffer.alloc(0)) };
}

/** What is known of the line that begins in a block further in front. */
class Rest {
  /** In the order of the file. @type {Buffer[]} */
  #parts = [];
  #bytes = 0;
  #leftOut = 0;

  /** @param {Buffer} part that comes before all others */
  put(part) {
    if (part.length === 0) return;
    this.#parts.unshift(part);
    this.#bytes += part.length;
    while (this.#bytes > MAX_LINE) this.#shorten();
  }

  /**
   * @param {Buffer} begin of the line
   * @returns {Buffer} the line
   */
  prefixedBy(begin) {
    this.put(begin);
    const line = wholeLine(this.#parts, this.#leftOut);
    this.#parts = [];
    this.#bytes = 0;
    this.#leftOut = 0;
    return line;
  }

  #shorten() {
    const last = /** @type {Buffer} */ (this.#parts.pop());
    const surplus = Math.min(last.length, this.#bytes - MAX_LINE);
    if (surplus < last.length) this.#parts.push(last.subarray(0, last.length - surplus));
    this.#bytes -= surplus;
    this.#leftOut += surplus;
  }
}

/**
 * @param {Buffer} block
 * @param {number} end where to look before
 */
function lastNewline(block, end) {
  return end === 0 ? -1 : block.lastIndexOf(NEWLINE, end - 1);
}

/**
 * @param {FileHandle} handle
 * @param {number} position
 * @param {number} length
 * @returns {Promise<Buffer>} shorter when the file was cut meanwhile
 */
async function blockAt(handle, position, length) {
  const block = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(block, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}
