/** Reads files whose place anything may have taken: neither a pipe nor a huge file occupies the reader. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { formatSize } from '../units.js';

/**
 * @param {string} file
 * @param {number} maxBytes
 * @returns {string} its text
 * @throws {NodeJS.ErrnoException} without a code if it is not a regular file, or is larger
 */
export function readSmallFile(file, maxBytes) {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > maxBytes) throw new Error(`it is larger than ${formatSize(maxBytes)}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** @param {string} file @param {string} text @returns {boolean} false also if it cannot be read */
export function holdsText(file, text) {
  try {
    return readSmallFile(file, Buffer.byteLength(text)) === text;
  } catch {
    return false;
  }
}
