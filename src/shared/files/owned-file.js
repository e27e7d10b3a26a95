/** Opens files in directories of another user, who may put a link, a pipe, a huge or a foreign file in their place. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';

/** @import { Stats } from 'node:fs' */

/** No link is followed, and a named pipe does not block. */
const GUARDED = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * A descriptor of a regular file.
 * @param {string} file in a directory that cannot be replaced itself
 * @param {number} flags of open(2)
 * @param {number} uid who must own it
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
export function openOwned(file, flags, uid) {
  let descriptor;
  try {
    descriptor = openSync(file, flags | GUARDED, 0o600);
    assertOwned(file, fstatSync(descriptor), uid);
    return descriptor;
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    throw explainLink(error, file);
  }
}

/** @param {string} file @param {Stats} stats of the open file @param {number} uid @throws {NodeclusterError} E_FILE_UNTRUSTED */
export function assertOwned(file, stats, uid) {
  if (!stats.isFile()) throw untrusted(file, 'it is not a regular file');
  if (stats.uid !== uid) throw untrusted(file, `it belongs to user ${stats.uid}, not to ${uid}`);
}

/**
 * Its last bytes, if it can be read.
 * @param {string} file
 * @param {number} uid who must own it
 * @param {number} maxBytes
 */
export function readOwnedEnd(file, uid, maxBytes) {
  let descriptor;
  try {
    descriptor = openOwned(file, constants.O_RDONLY, uid);
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const count = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, count);
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** @param {unknown} error of an open with GUARDED @param {string} file @returns {unknown} an explanation, if the file is a link */
export function explainLink(error, file) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  return code === 'ELOOP' ? untrusted(file, 'it is a symbolic link') : error;
}

/** @param {string} file @param {string} reason */
function untrusted(file, reason) {
  return new NodeclusterError('E_FILE_UNTRUSTED', { file, reason });
}
