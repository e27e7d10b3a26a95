/** The files of one log, also rotated and compressed ones, and what is in them. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ignoreError } from '../../errors/error.js';
import { assertOwned, explainLink } from '../../shared/files/owned-file.js';
import {
  isOpenDescriptor,
  listRotated,
  resolveLinks,
} from '../../shared/log-files/rotated-files.js';

/**
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { LogSource } from './log-source.js'
 */

/** In bytes. The primary writes shorter lines, even as JSON: 256 KiB, escaped to at most six times that. */
export const MAX_LINE = 2 * 1024 * 1024;
export const NEWLINE = Buffer.from('\n');
const BLOCK = 64 * 1024;
/** Opening a named pipe without a writer would block. */
const TO_READ = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * @typedef {Awaited<ReturnType<typeof openToRead>>} OpenFile
 * @typedef {{current: OpenFile | null, rotated: RotatedFile[]}} OpenLog rotated: the oldest first
 */

/** @param {Pick<LogSource, 'path' | 'user'>} source @returns {Promise<OpenLog>} */
export async function openLog({ path, user = null }) {
  for (;;) {
    const current = await openToRead(path, user).catch(ignoreError('ENOENT'));
    const rotated = await listWritten(path).catch(async (error) => {
      await current?.handle.close();
      throw error;
    });
    if (current?.isFile && (await statOf(path))?.ino === current.inode) return { current, rotated };
    await current?.handle.close();
    // Otherwise it was rotated meanwhile.
    if (!current?.isFile) return { current: null, rotated };
  }
}

/** An empty rotated file reserves the name that the current one is about to get. @param {string} path */
export async function listWritten(path) {
  const files = (await listRotated(path)).map(async (file) => {
    const found = await statOf(file.path);
    return found?.size === 0 ? [] : { ...file, inode: found?.ino };
  });
  return (await Promise.all(files)).flat();
}

/** @param {string} path @returns null: it cannot be inspected */
export function statOf(path) {
  return stat(path).catch(() => null);
}

/** @param {RotatedFile} file that may be compressed meanwhile @param {number | null} [user] who must own it */
export async function openRotated({ path, isCompressed }, user = null) {
  const file = await openToRead(path, user).catch(ignoreError('ENOENT'));
  if (file) return { ...file, isCompressed };
  return { ...(await openToRead(`${path}.gz`, user)), isCompressed: true };
}

/** @param {string} path @param {number | null} user an app's, who may have put anything there: no link is followed */
async function openToRead(path, user) {
  // Those that a primary follows when it writes: links of root and of this user.
  const file = user === null ? await resolveLinks(path) : path;
  // Only a link of another user can still be there.
  const guard = user === null && isOpenDescriptor(file) ? 0 : constants.O_NOFOLLOW;
  const handle = await open(file, TO_READ | guard).catch((error) => {
    throw explainLink(error, file);
  });
  try {
    const stats = await handle.stat();
    if (user !== null) assertOwned(file, stats, user);
    const { ino: inode, size } = stats;
    return { handle, inode, size, isFile: stats.isFile(), isCompressed: false };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param {Pick<OpenFile, 'handle' | 'isCompressed'>} file @param {number} [from] bytes, uncompressed @param {number} [to] */
export async function* contentOf({ handle, isCompressed }, from = 0, to = Infinity) {
  if (isCompressed) {
    let toSkip = from;
    // The last stream reports the errors of both, and a reader that stops early closes both.
    for await (const chunk of pipeline(handle.createReadStream(), createGunzip(), () => {})) {
      if (toSkip < chunk.length) yield chunk.subarray(toSkip);
      toSkip = Math.max(0, toSkip - chunk.length);
    }
    return;
  }
  for (let at = from, block; at < to; at += block.length) {
    block = await readBlock(handle, at, Math.min(BLOCK, to - at));
    if (block.length === 0) return;
    yield block;
  }
}

/** @param {RotatedFile} file @param {number} from @param {number | null} [user] @returns {AsyncGenerator<Buffer>} */
export async function* contentOfRotated(file, from, user) {
  const opened = await openRotated(file, user);
  try {
    yield* contentOf(opened, from);
  } finally {
    await opened.handle.close();
  }
}

/**
 * Reads in blocks from the end, the last line first, even if it has no newline; a line that is too long is truncated.
 * @param {Pick<OpenFile, 'handle' | 'size'>} file that is not compressed
 */
export async function* linesBackward({ handle, size }) {
  /** The rest of the line that began before the last block, truncated. @type {Buffer} */
  let rest = Buffer.alloc(0);
  for (let from = size; from > 0;) {
    const length = Math.min(BLOCK, from);
    from -= length;
    const text = Buffer.concat([await readBlock(handle, from, length), rest]);
    // The newline of the last line does not start another one.
    let end = text.length - Number(from + length === size && text.at(-1) === NEWLINE[0]);
    for (let at; end > 0 && (at = text.lastIndexOf(NEWLINE, end - 1)) !== -1; end = at) {
      const start = at + 1;
      yield { offset: from + start, line: text.subarray(start, Math.min(end, start + MAX_LINE)) };
    }
    rest = text.subarray(0, Math.min(end, MAX_LINE));
  }
  if (size > 0) yield { offset: 0, line: rest };
}

/** @param {FileHandle} handle @param {number} at @param {number} length @returns less if the file ends before */
async function readBlock(handle, at, length) {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
