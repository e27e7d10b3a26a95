/** What a primary wrote about itself, so that a daemon that did not start it can find it. */
import { readFileSync } from 'node:fs';

/**
 * @typedef {import('../shared/process-identity.js').ProcessIdentity &
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
