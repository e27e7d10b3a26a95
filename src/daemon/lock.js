/**
 * Ensures one daemon per home directory without flock, which Node lacks. The targets of the symbolic
 * links daemon.lock.N are process identities, and the highest N holds the lock while its process runs.
 * The highest link is never removed, so when holder N has exited, symlink(2) lets exactly one process
 * create N+1. A link appears with its target, and needs no space on a full disk.
 */
import { readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { identify, isAlive } from '../shared/processes/identity.js';

/** @import { ProcessIdentity } from '../shared/processes/identity.js' */

const LOCK = /^daemon\.lock\.(\d+)$/;

/**
 * @param {string} home
 * @returns {boolean} whether this process is the daemon of the home until it exits
 */
export function takeLock(home) {
  const highest = Math.max(0, ...lockNumbers(home));
  if (highest > 0 && isHeld(lockFile(home, highest))) return false;
  const own = highest + 1;
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

/** @param {string} home */
function lockNumbers(home) {
  return readdirSync(home).flatMap((name) => {
    const match = LOCK.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

/** @param {string} home @param {number} number */
function lockFile(home, number) {
  return path.join(home, `daemon.lock.${number}`);
}

/** @param {string} file */
function isHeld(file) {
  try {
    const [pid, bootId, ...startTime] = readlinkSync(file).split(' ');
    return isAlive({ pid: Number(pid), bootId, startTime: startTime.join(' ') });
  } catch {
    return false;
  }
}

/**
 * ext4 stores a target of less than 60 bytes in the inode, so it must be short.
 * @param {string} file
 * @returns {boolean} false when another process was faster
 */
function create(file) {
  const { pid, bootId, startTime } = /** @type {ProcessIdentity} */ (identify(process.pid));
  try {
    symlinkSync(`${pid} ${bootId} ${startTime}`, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}
