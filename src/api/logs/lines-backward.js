/** Reads the lines of a file from its end, in blocks, so that memory use does not grow with it. */
import { BoundedLine } from './bounded-line.js';

/** @import { FileHandle } from 'node:fs/promises' */

const NEWLINE = 0x0a;
const BLOCK = 64 * 1024;

/**
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
