/** The file in which a primary records its workers, for whoever must end them if it is killed. */
import { readSmallFile } from '../files/small-file.js';
import { recordedWorker } from './checks.js';

/** @import { RecordedWorker } from './records.js' */

/** Bytes; a worker has about 200. */
const MAX_BYTES = 1024 * 1024;

/**
 * @param {string} file
 * @returns {RecordedWorker[] | null | undefined} what of it is valid; null: there was none; undefined: it is
 *   damaged or cannot be read
 */
export function readWorkers(file) {
  try {
    /** @type {unknown} */
    const recorded = JSON.parse(readSmallFile(file, MAX_BYTES));
    if (!Array.isArray(recorded)) return undefined;
    return recorded.filter((entry) => recordedWorker(entry) === null);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? null : undefined;
  }
}
