/** Reads the desired state on disk: neither a pipe nor a huge file in its place may block the reader. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { NodeclusterError } from '../errors/error.js';

/** Bytes; a hundred apps with long environments take about 100 KB. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * @param {string} file
 * @returns {string | null} its text; null: it does not exist
 * @throws {NodeclusterError} E_HOME_READ
 */
export function readDesiredFile(file) {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw unreadable(file, 'it is not a regular file');
      if (stats.size > MAX_BYTES) throw unreadable(file, 'it is larger than 16 MiB');
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof NodeclusterError) throw error;
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    const isLink = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    if (code === 'ENOENT' && !isLink) return null;
    throw unreadable(file, code === 'ENOENT' ? 'it is a link to a file that does not exist' : code);
  }
}

/** @param {string} file @param {string | undefined} reason */
function unreadable(file, reason) {
  return new NodeclusterError('E_HOME_READ', { file, reason });
}
