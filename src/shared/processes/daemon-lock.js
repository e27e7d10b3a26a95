/** The symbolic links `daemon.lock.N` in a home directory, whose targets are process identities. */
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { parseIdentity } from './identity-text.js';
import { isAlive } from './identity.js';

/** @import { ProcessIdentity } from './identity.js' */

const LOCK = /^daemon\.lock\.(\d{1,15})$/;

/**
 * @typedef {object} Lock
 * @property {number} number
 * @property {ProcessIdentity} holder
 */

/**
 * @param {string} home
 * @returns {Lock[]} in ascending order; what is not a link to an identity is no lock
 */
export function readLocks(home) {
  return readdirSync(home)
    .flatMap((name) => {
      const match = LOCK.exec(name);
      const holder = match && parseIdentity(targetOf(path.join(home, name)));
      return holder ? [{ number: Number(match[1]), holder }] : [];
    })
    .sort((a, b) => a.number - b.number);
}

/**
 * @param {string} home
 * @param {number} number
 */
export function lockFile(home, number) {
  return path.join(home, `daemon.lock.${number}`);
}

/**
 * @param {string} home
 * @returns {number | null} the pid of its daemon; null: none runs
 */
export function daemonPid(home) {
  try {
    const holder = readLocks(home).at(-1)?.holder;
    return holder && isAlive(holder) ? holder.pid : null;
  } catch {
    return null;
  }
}

/** @param {string} file @returns {string} '' if it is not a link, or was removed meanwhile */
function targetOf(file) {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
