/** Opens the current file of a log and the rotated files before it. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ignoreError } from '../../errors/error.js';
import {
  compressedPaths,
  isOpenDescriptor,
  listRotated,
  resolveLinks,
} from '../../shared/log-files/rotated-files.js';
import { assertOwned, explainLink } from '../../shared/files/owned-file.js';

/**
 * @import { Stats } from 'node:fs'
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 * @import { LogSource } from './log-source.js'
 */

/** Opening a named pipe without a writer would block. */
const TO_READ = constants.O_RDONLY | constants.O_NONBLOCK;
const TO_READ_NO_LINK = TO_READ | constants.O_NOFOLLOW;

/** @typedef {NonNullable<Awaited<ReturnType<typeof openCurrent>>>} CurrentFile */

/**
 * @param {Pick<LogSource, 'path' | 'user'>} source
 * @returns current null: it does not exist yet or is not a regular file; rotated: oldest first
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
  const handle = await openToRead(path, user).catch(ignoreError('ENOENT'));
  const found = await handle?.stat();
  // The bytes when it was opened, and those that have been read.
  if (handle && found?.isFile()) return { handle, inode: found.ino, size: found.size, offset: 0 };
  await handle?.close();
  return null;
}

/** Leaves out an empty last file: it reserves the name that the current file is about to get. @param {string} path */
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

/** @param {string} path @returns {Promise<Stats | null>} null: it cannot be inspected */
export function statOf(path) {
  return stat(path).catch(() => null);
}

/**
 * @param {RotatedFile} file may be compressed or deleted at any moment
 * @param {number} offset bytes of its content to skip
 * @param {number | null} [user] who must own it
 * @returns {AsyncGenerator<Buffer>}
 * @throws {NodeJS.ErrnoException} ENOENT and others
 */
export async function* rotatedChunks(file, offset, user = null) {
  let toSkip = offset;
  const { handle, isCompressed } = await openRotated(file, user);
  for await (const chunk of isCompressed ? unzipped(handle) : handle.createReadStream()) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

/**
 * A file that is missing under its first name has been compressed meanwhile.
 * @param {RotatedFile} file
 * @param {number | null} user who must own it
 * @throws {NodeJS.ErrnoException} ENOENT and others
 */
export async function openRotated({ path, isCompressed }, user) {
  if (isCompressed) return { handle: await openToRead(path, user), isCompressed };
  const handle = await openToRead(path, user).catch(ignoreError('ENOENT'));
  if (handle) return { handle, isCompressed };
  return { handle: await openToRead(compressedPaths(path).finished, user), isCompressed: true };
}

/** @param {FileHandle} handle of a compressed file @returns {AsyncIterable<Buffer>} */
export function unzipped(handle) {
  // The last stream reports the errors of both, and a reader that stops early closes both.
  return pipeline(handle.createReadStream(), createGunzip(), () => {});
}

/**
 * Follows the links that a primary follows when it writes: those of root and of this user.
 * @param {string} path
 * @param {number | null} user an app's, who may have put anything there: no link is followed, and the
 *   file must be a regular one of that user
 */
async function openToRead(path, user) {
  if (user === null) {
    const file = await resolveLinks(path);
    // Only a link of another user can still be there.
    return isOpenDescriptor(file) ? open(file, TO_READ) : openWithoutLink(file);
  }
  const handle = await openWithoutLink(path);
  try {
    assertOwned(path, await handle.stat(), user);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param {string} file */
function openWithoutLink(file) {
  return open(file, TO_READ_NO_LINK).catch((error) => {
    throw explainLink(error, file);
  });
}
