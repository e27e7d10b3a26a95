/**
 * Ensures one daemon per home directory without flock, which Node lacks. The targets of the symbolic
 * links daemon.lock.N are process identities, and the highest N holds the lock while its process runs.
 * The highest link is never removed, so when holder N has exited, symlink(2) lets exactly one process
 * create N+1. A link appears with its target, and needs no space on a full disk.
 */
import { rmSync, symlinkSync } from 'node:fs';
import { daemonPid, lockFile, lockNumbers, lockTarget } from '../shared/processes/daemon-lock.js';
import { identify } from '../shared/processes/identity.js';

/** @import { ProcessIdentity } from '../shared/processes/identity.js' */

/**
 * @param {string} home
 * @returns {boolean} whether this process is the daemon of the home until it exits
 */
export function takeLock(home) {
  const own = Math.max(0, ...lockNumbers(home)) + 1;
  if (daemonPid(home) !== null) return false;
  if (!create(lockFile(home, own))) return false;
  const numbers = lockNumbers(home);
  if (numbers.some((number) => number > own)) {
    rmSync(lockFile(home, own), { force: true });
    return false;
  }
  for (const number of numbers) {
    if (number < own) rmSync(lockFile(home, number), { force: true });
  }
  return true;
}

/**
 * ext4 stores a target of less than 60 bytes in the inode, so it must be short.
 * @param {string} file
 * @returns {boolean} false when another process was faster
 */
function create(file) {
  const own = /** @type {ProcessIdentity} */ (identify(process.pid));
  try {
    symlinkSync(lockTarget(own), file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}
