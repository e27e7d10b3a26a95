/** The symbolic links `daemon.lock.N` in a home directory, whose targets are process identities. */
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from './identity.js';

/** @import { ProcessIdentity } from './identity.js' */

const LOCK = /^daemon\.lock\.(\d{1,15})$/;

/**
 * @param {string} home
 * @returns {number[]}
 */
export function lockNumbers(home) {
  return readdirSync(home).flatMap((name) => {
    const match = LOCK.exec(name);
    return match ? [Number(match[1])] : [];
  });
}

/**
 * @param {string} home
 * @param {number} number
 */
export function lockFile(home, number) {
  return path.join(home, `daemon.lock.${number}`);
}

/** @param {ProcessIdentity} identity @returns {string} the target of its link */
export function lockTarget({ pid, bootId, startTime }) {
  return `${pid} ${bootId} ${startTime}`;
}

/**
 * @param {string} home
 * @returns {number | null} the pid of its daemon; null: none runs
 */
export function daemonPid(home) {
  try {
    const target = readlinkSync(lockFile(home, Math.max(...lockNumbers(home))));
    const [pid, bootId, ...startTime] = target.split(' ');
    const holder = { pid: Number(pid), bootId, startTime: startTime.join(' ') };
    return isAlive(holder) ? holder.pid : null;
  } catch {
    return null;
  }
}
