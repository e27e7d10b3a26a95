/** What a primary wrote about itself, so that a daemon that did not start it can find it. */
import { readFileSync, writeFileSync } from 'node:fs';

/** @import { ProcessIdentity } from '../../shared/process-identity.js' */

/**
 * @typedef {ProcessIdentity &
 *   {socket: string, starting?: true}} PrimaryRecord starting: written by the daemon that has just
 *   started it, and replaced by the primary when it listens
 */

/**
 * @param {string} file
 * @returns {PrimaryRecord | null} null when there is none, or none that can be understood
 */
export function readRecord(file) {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8'));
    const { pid, startTime, bootId, socket } = record;
    const strings = [startTime, bootId, socket].every((value) => typeof value === 'string');
    return strings && Number.isSafeInteger(pid) ? record : null;
  } catch {
    return null;
  }
}

/**
 * Written at once, until the primary says it itself: a daemon that follows this one must not start
 * a second primary while the first is not yet ready. A primary may be faster than the daemon that
 * has started it; what it says of itself stays.
 * @param {string} file which was removed before the primary was started
 * @param {PrimaryRecord} record
 */
export function recordStarting(file, record) {
  try {
    writeFileSync(file, JSON.stringify({ ...record, starting: true }), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}
