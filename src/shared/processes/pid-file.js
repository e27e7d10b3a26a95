/** A file that contains the pid of one process. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const MAX_BYTES = 32;

/**
 * A pid replaces the whole file, so a path that names something else by mistake must not be taken.
 * @param {string} file
 * @returns {string | null} the pid; '' if it is empty or does not exist; null: it contains something
 *   else or cannot be read
 */
export function readPidFile(file) {
  try {
    // In a directory of others, a pipe may take its place at any time, and would block.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > MAX_BYTES) return null;
      return /^\s*(\d*)\s*$/.exec(readFileSync(descriptor, 'utf8'))?.[1] ?? null;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? '' : null;
  }
}
