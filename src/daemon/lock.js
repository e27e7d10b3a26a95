/**
 * Ensures one daemon per home directory without flock, which Node lacks. The targets of the symbolic
 * links daemon.lock.N are process identities, and the highest N holds the lock while its process runs.
 * The highest link is never removed, so when holder N has exited, symlink(2) lets exactly one process
 * create N+1. A link appears with its target, and needs no space on a full disk.
 */
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { NodeclusterError } from '../errors/error.js';
import {
  daemonPid,
  lockFile,
  readLocks,
  identityText,
  parseIdentity,
} from '../shared/processes/daemon-lock.js';
import { identify } from '../shared/processes/identity.js';

/**
 * @param {string} home
 * @returns {boolean} whether this process is the daemon of the home until it exits
 * @throws {NodeclusterError} E_HOME_LOCK
 */
export function takeLock(home) {
  const highest = readLocks(home).at(-1)?.number ?? 0;
  const pid = daemonPid(home);
  // Its own if the home could not be read just after it was created.
  if (pid !== null) return pid === process.pid;
  const own = create(home, highest + 1);
  if (own === null) return false;
  const numbers = readLocks(home).map(({ number }) => number);
  if (numbers.some((number) => number > own)) {
    removeLock(home, own);
    return false;
  }
  for (const number of numbers) {
    if (number < own) removeLock(home, number);
  }
  return true;
}

/**
 * @param {string} home
 * @param {number} number
 * @returns {number | null} the number of the new lock: a higher one if something that is not a lock
 *   has that name; null: another process was faster
 */
function create(home, number) {
  const own = identify(process.pid);
  if (own === null)
    throw new NodeclusterError('E_HOME_LOCK', {
      home,
      reason: 'this process could not be identified',
    });
  try {
    symlinkSync(identityText(own), lockFile(home, number));
    return number;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return isLock(lockFile(home, number)) ? null : create(home, number + 1);
  }
}

/** @param {string} home @param {number} number */
function removeLock(home, number) {
  try {
    rmSync(lockFile(home, number), { force: true });
  } catch {
    // Its process does not hold the lock, and the next daemon tries again.
  }
}

/** @param {string} file that existed a moment ago */
function isLock(file) {
  try {
    return parseIdentity(readlinkSync(file)) !== null;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
  }
}
