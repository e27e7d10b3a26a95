/** The content of a rotated file, compressed or not. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { compressedPaths } from '../../shared/log-files/rotated-files.js';

/** @import { RotatedFile } from '../../shared/log-files/rotated-files.js' */

/**
 * @param {RotatedFile} file may be compressed or deleted at any moment
 * @param {number} offset bytes of its content to skip
 * @returns {AsyncGenerator<Buffer>}
 * @throws {NodeJS.ErrnoException} ENOENT and others
 */
export async function* rotatedChunks(file, offset) {
  let toSkip = offset;
  for await (const chunk of await openContent(file)) {
    if (toSkip < chunk.length) yield chunk.subarray(toSkip);
    toSkip = Math.max(0, toSkip - chunk.length);
  }
}

/**
 * @param {string} path of a compressed file
 * @returns {AsyncIterable<Buffer>}
 */
export function unzipped(path) {
  // The last stream reports the errors of both, and a reader that stops early closes both.
  return pipeline(createReadStream(path), createGunzip(), () => {});
}

/**
 * A file that is missing under its first name has been compressed meanwhile.
 * @param {RotatedFile} file
 */
async function openContent({ path, isCompressed }) {
  if (isCompressed) return unzipped(path);
  const handle = await open(path).catch(() => null);
  return handle?.createReadStream() ?? unzipped(compressedPaths(path).finished);
}
