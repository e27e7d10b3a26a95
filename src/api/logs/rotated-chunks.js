/** The content of a rotated file, compressed or not. */
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { compressedPaths } from '../../shared/log-files/rotated-files.js';
import { openToRead } from './open-to-read.js';

/**
 * @import { FileHandle } from 'node:fs/promises'
 * @import { RotatedFile } from '../../shared/log-files/rotated-files.js'
 */

/**
 * @param {RotatedFile} file may be compressed or deleted at any moment
 * @param {number} offset bytes of its content to skip
 * @param {number | null} [user] who must own it
 * @returns {AsyncGenerator<Buffer>}
 * @throws {NodeJS.ErrnoException} ENOENT and others
 */
export async function* rotatedChunks(file, offset, user = null) {
  let toSkip = offset;
  for await (const chunk of await openContent(file, user)) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

/**
 * @param {FileHandle} handle of a compressed file
 * @returns {AsyncIterable<Buffer>}
 */
export function unzipped(handle) {
  // The last stream reports the errors of both, and a reader that stops early closes both.
  return pipeline(handle.createReadStream(), createGunzip(), () => {});
}

/**
 * A file that is missing under its first name has been compressed meanwhile.
 * @param {RotatedFile} file
 * @param {number | null} user
 */
async function openContent({ path, isCompressed }, user) {
  if (isCompressed) return unzipped(await openToRead(path, user));
  const handle = await openToRead(path, user).catch(() => null);
  const { finished } = compressedPaths(path);
  return handle?.createReadStream() ?? unzipped(await openToRead(finished, user));
}
