/** Reads the desired state on disk. */
import { lstatSync } from 'node:fs';
import { NodeclusterError } from '../errors/error.js';
import { readSmallFile } from './files/small-file.js';

/** Bytes; a hundred apps with long environments take about 100 KB. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * @param {string} file
 * @returns {string | null} its text; null: it does not exist
 * @throws {NodeclusterError} E_HOME_READ
 */
export function readDesiredFile(file) {
  try {
    return readSmallFile(file, MAX_BYTES);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isMissing = code === 'ENOENT';
    if (isMissing && lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    const reason = isMissing ? 'it is a link to a file that does not exist' : (code ?? message);
    throw new NodeclusterError('E_HOME_READ', { file, reason }, error);
  }
}
