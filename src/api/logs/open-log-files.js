/** Opens the current file of a log and finds the rotated files before it. */
import { stat } from 'node:fs/promises';
import { listRotated } from '../../shared/log-files/rotated-files.js';
import { openToRead } from './open-to-read.js';

/**
 * @import { Stats } from 'node:fs'
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { LogSource } from './log-source.js'
 */

/**
 * @typedef {object} CurrentFile
 * @property {FileHandle} handle
 * @property {number} inode
 * @property {number} size bytes when it was opened
 * @property {number} offset bytes read so far
 */

/**
 * @param {Pick<LogSource, 'path' | 'user'>} source
 * @returns {Promise<{current: CurrentFile | null, rotated: RotatedFile[]}>} current null: it does
 *   not exist yet or is not a regular file; rotated: oldest first
 */
export async function openLogFiles({ path, user = null }) {
  for (;;) {
    const current = await openCurrent(path, user);
    const rotated = await listNonEmpty(path).catch(async (error) => {
      await current?.handle.close();
      throw error;
    });
    if (current === null) return { current, rotated };
    const own = await numberOf(current.inode, rotated);
    if (own !== null) return { current, rotated: rotated.filter(({ number }) => number < own) };
    const found = await statOf(path);
    if (found === null || found.ino === current.inode) return { current, rotated };
    // It was rotated meanwhile and may be compressed already, so it cannot be found in the list.
    await current.handle.close();
  }
}

/** @param {string} path @param {number | null} user */
async function openCurrent(path, user) {
  try {
    const handle = await openToRead(path, user);
    const found = await handle.stat();
    if (!found.isFile()) {
      await handle.close();
      return null;
    }
    const { ino: inode, size } = found;
    return { handle, inode, size, offset: 0 };
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Leaves out an empty last file: it reserves the name that the current file is about to get.
 * @param {string} path
 */
async function listNonEmpty(path) {
  const files = await listRotated(path);
  const last = files.at(-1);
  const isEmpty = last !== undefined && (await statOf(last.path))?.size === 0;
  return isEmpty ? files.slice(0, -1) : files;
}

/**
 * @param {number} inode
 * @param {RotatedFile[]} files
 * @returns {Promise<number | null>} the number under which the file with that inode was rotated
 */
export async function numberOf(inode, files) {
  for (const { path, number } of [...files].reverse()) {
    if ((await statOf(path))?.ino === inode) return number;
  }
  return null;
}

/**
 * @param {string} path
 * @returns {Promise<Stats | null>} null: it cannot be inspected
 */
export function statOf(path) {
  return stat(path).catch(() => null);
}
