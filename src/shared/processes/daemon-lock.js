/** The symbolic links `daemon.lock.N` in a home directory, whose targets are process identities. */
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { isAlive } from './identity.js';

/** @import { ProcessIdentity } from './records.js' */

const LOCK = /^daemon\.lock\.(\d{1,15})$/;

/**
 * In ascending order; what is not a link to an identity is not a lock.
 * @param {string} home
 * @returns {{number: number, holder: ProcessIdentity}[]}
 * @throws {NodeclusterError} E_HOME_LOCK: it is unknown who holds the lock
 */
export function readLocks(home) {
  try {
    return attempt(() => readdirSync(home), [], ['ENOENT', 'ENOTDIR'])
      .flatMap((name) => {
        const match = LOCK.exec(name);
        if (!match) return [];
        // What is not a link, or was removed meanwhile.
        const none = ['ENOENT', 'EINVAL'];
        const holder = parseIdentity(attempt(() => readlinkSync(path.join(home, name)), '', none));
        return holder ? [{ number: Number(match[1]), holder }] : [];
      })
      .sort((a, b) => a.number - b.number);
  } catch (error) {
    const { message: reason } = /** @type {Error} */ (error);
    throw new NodeclusterError('E_HOME_LOCK', { home, reason }, error);
  }
}

/** @param {string} home @param {number} number */
export function lockFile(home, number) {
  return path.join(home, `daemon.lock.${number}`);
}

/**
 * The pid of its daemon; null: none runs.
 * @param {string} home
 * @throws {NodeclusterError} E_HOME_LOCK: it is unknown
 */
export function daemonPid(home) {
  const holder = readLocks(home).at(-1)?.holder;
  return holder && isAlive(holder) ? holder.pid : null;
}

/** ext4 stores a target of less than 60 bytes in the inode, so it must be short. @param {ProcessIdentity} identity */
export function identityText({ pid, bootId, startTime }) {
  return `${pid} ${bootId} ${startTime}`;
}

/** @param {string} text @returns {ProcessIdentity | null} null: it is not such a text */
function parseIdentity(text) {
  const match = /^(\d{1,10}) ([\w-]+) (\S.*)$/.exec(text);
  return match && { pid: Number(match[1]), bootId: match[2], startTime: match[3] };
}
