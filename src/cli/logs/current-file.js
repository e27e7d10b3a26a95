/** The file that a log is written to now, and which of the rotated ones came before it. */
import { open, stat } from 'node:fs/promises';
import { listRotated } from '../../shared/log-files/rotated-files.js';

/**
 * @import { Stats } from 'node:fs'
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 */

/**
 * @typedef {object} Present
 * @property {FileHandle} handle
 * @property {number} inode
 * @property {number} size bytes when it was opened
 * @property {number} offset bytes that were read
 */

/**
 * @param {string} path
 * @returns {Promise<{present: Present | null, rotated: RotatedFile[]}>} present null: there is none
 *   yet, or it is no plain file; rotated: those before it, the oldest first
 */
export async function survey(path) {
  for (;;) {
    const present = await openPresent(path);
    const listed = listRotated(path).then(withoutReserved);
    const all = await listed.catch(async (error) => {
      await present?.handle.close();
      throw error;
    });
    if (present === null) return { present, rotated: all };
    const own = await numberOf(present.inode, all);
    if (own !== null) return { present, rotated: all.filter(({ number }) => number < own) };
    const found = await statOf(path);
    if (found === null || found.ino === present.inode) return { present, rotated: all };
    // Rotated meanwhile, and maybe compressed already: it could not be told from the others.
    await present.handle.close();
  }
}

/**
 * The name that a file is just about to get may be there already, with nothing in it.
 * @param {RotatedFile[]} files
 */
async function withoutReserved(files) {
  const last = files.at(-1);
  const isEmpty = last !== undefined && (await statOf(last.path))?.size === 0;
  return isEmpty ? files.slice(0, -1) : files;
}

/**
 * @param {number} inode
 * @param {RotatedFile[]} files
 * @returns {Promise<number | null>} under which number the file is there
 */
export async function numberOf(inode, files) {
  for (const { path, number } of [...files].reverse()) {
    if ((await statOf(path))?.ino === inode) return number;
  }
  return null;
}

/**
 * @param {string} path
 * @returns {Promise<Stats | null>} null: nothing can be told of it
 */
export function statOf(path) {
  return stat(path).catch(() => null);
}

/**
 * @param {string} path
 * @returns {Promise<Present | null>}
 */
async function openPresent(path) {
  try {
    // A pipe that nobody writes to would not even let itself be opened.
    if (!(await stat(path)).isFile()) return null;
    const handle = await open(path);
    const { ino: inode, size } = await handle.stat();
    return { handle, inode, size, offset: 0 };
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}
