/** The content of a rotated file, compressed or not, from its begin to its end. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { compressedPaths } from '../../shared/log-files/rotated-files.js';

/** @import { RotatedFile } from '../../shared/log-files/rotated-files.js' */

/**
 * @param {RotatedFile} file that may be compressed, or
 *   removed, at any moment
 * @param {number} offset bytes of its content to leave out
 * @returns {AsyncGenerator<Buffer>}
 * @throws {NodeJS.ErrnoException} ENOENT and others
 */
export async function* rotatedChunks(file, offset) {
  let left = offset;
  for await (const chunk of await contentOf(file)) {
    if (left < chunk.length) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/**
 * @param {string} path of a compressed file
 * @returns {AsyncIterable<Buffer>}
 */
export function unzipped(path) {
  // The error comes out of the last stream; a reader that has enough ends both.
  return pipeline(createReadStream(path), createGunzip(), () => {});
}

/**
 * One that is gone under its first name is there compressed: that comes first.
 * @param {RotatedFile} file
 * @returns {Promise<AsyncIterable<Buffer>>}
 */
async function contentOf({ path, isCompressed }) {
  if (isCompressed) return unzipped(path);
  const handle = await open(path).catch(() => null);
  return handle?.createReadStream() ?? unzipped(compressedPaths(path).finished);
}
