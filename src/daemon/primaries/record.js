/** The file in which a daemon finds a primary that an earlier daemon started. */
import { readFileSync, writeFileSync } from 'node:fs';

/** @import { ProcessIdentity } from '../../shared/processes/identity.js' */

/**
 * @typedef {ProcessIdentity &
 *   {socket: string, root?: string, starting?: true}} PrimaryRecord root: the package that it was
 *   started from; starting: written by the daemon, the primary replaces it when it listens, unless it
 *   runs as another user: then the record has a `uid`
 */

/**
 * @param {string} file
 * @returns {PrimaryRecord | null} null when there is none, or it is not valid
 */
export function readRecord(file) {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'));
    const { pid, startTime, bootId, socket, uid } = record;
    const strings = [startTime, bootId, socket].every((value) => typeof value === 'string');
    const isUser = uid === undefined || Number.isSafeInteger(uid);
    return strings && Number.isSafeInteger(pid) && isUser ? record : null;
  } catch {
    return null;
  }
}

/**
 * Keeps the next daemon from starting a second primary while the first is not ready yet. Does not
 * replace the record that the primary itself may have written already. On a full disk there is none:
 * the next daemon finds the primary by its socket.
 * @param {string} file removed before the primary was started
 * @param {PrimaryRecord} record
 */
export function recordStarting(file, record) {
  try {
    writeFileSync(file, JSON.stringify({ ...record, starting: true }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!['EEXIST', 'ENOSPC', 'EDQUOT'].includes(code)) throw error;
  }
}
