/** The file in which a primary records its workers, for whoever must end them if it is killed. */
import { readSmallFile } from '../files/small-file.js';

/** @import { ProcessIdentity } from './identity.js' */

/**
 * @typedef {ProcessIdentity
 *   & {slot: number, generation: number, mark: string, ownsGroup: boolean}} RecordedWorker ownsGroup: it leads a
 *   process group
 */

/** Bytes; a worker has about 200. */
const MAX_BYTES = 1024 * 1024;

/**
 * @param {string} file
 * @returns {RecordedWorker[] | null | undefined} what the primary wrote; null: there was none; undefined: it is
 *   damaged or cannot be read
 */
export function readWorkers(file) {
  try {
    /** @type {unknown} */
    const recorded = JSON.parse(readSmallFile(file, MAX_BYTES));
    return Array.isArray(recorded) ? recorded.filter((entry) => entry?.startTime) : undefined;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? null : undefined;
  }
}
