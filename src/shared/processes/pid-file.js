/** A file that contains the pid of one process. */
import { readFileSync, statSync } from 'node:fs';

const MAX_BYTES = 32;

/**
 * A pid replaces the whole file, so a path that names something else by mistake must not be taken.
 * @param {string} file
 * @returns {boolean} whether it does not exist, is empty or contains a pid
 */
export function isPidFile(file) {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (!stats.isFile() || stats.size > MAX_BYTES) return false;
  return /^\s*\d*\s*$/.test(readFileSync(file, 'utf8'));
}
