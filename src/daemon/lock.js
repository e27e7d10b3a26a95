/**
 * Ensures one daemon per home directory without flock, which Node lacks. The files daemon.lock.N
 * contain process identities, and the highest N holds the lock while its process runs. The highest
 * file is never removed, so when holder N has exited, link(2) lets exactly one process create N+1.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identify, isAlive } from '../shared/processes/identity.js';

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
    return isAlive(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return false;
  }
}

/**
 * The file appears with its content or not at all.
 * @param {string} file
 * @returns {boolean} false when another process was faster
 */
function create(file) {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  writeFileSync(temporary, JSON.stringify(identify(process.pid)), { flag: 'wx', mode: 0o600 });
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary);
  }
}
