/**
 * Removes public copies of this package from which nothing runs. Daemons of several homes share them,
 * and a primary of another user may lie, so only the kernel is asked: each such primary inherits a
 * descriptor of a directory in its copy.
 */
import { readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isBeingMade } from '../../../daemon/copies/unused-copies.js';
import { PUBLIC_COPIES } from './public-copy.js';

/** ms; another daemon may be about to start a primary from a copy that it has just made. */
const MIN_AGE_MS = 3_600_000;

/** @param {string} [directory] of the copies. Without /proc (macOS) they stay until the next boot */
export function removeUnusedPublicCopies(directory = PUBLIC_COPIES) {
  try {
    const copies = readdirSync(directory).map((name) => path.join(directory, name));
    const old = copies.filter((copy) => !isBeingMade(copy) && ageOf(copy) > MIN_AGE_MS);
    if (old.length === 0) return;
    const opened = readdirSync('/proc').filter(isPid).flatMap(openFiles);
    const isUsed = (/** @type {string} */ copy) =>
      opened.some((file) => file.startsWith(`${copy}/`));
    for (const copy of old) if (!isUsed(copy)) rmSync(copy, { recursive: true, force: true });
  } catch {
    // There are none, another daemon is removing one, or not all processes could be inspected.
  }
}

/** @param {string} copy */
function ageOf(copy) {
  return Date.now() - statSync(copy).mtimeMs;
}

/** @param {string} name */
function isPid(name) {
  return /^\d+$/.test(name);
}

/** @param {string} pid @returns {string[]} none if it has exited */
function openFiles(pid) {
  const directory = `/proc/${pid}/fd`;
  const fds = unlessGone(() => readdirSync(directory)) ?? [];
  return fds.flatMap((fd) => unlessGone(() => readlinkSync(path.join(directory, fd))) ?? []);
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T | null} null: it has exited, was closed, or belongs to something that this daemon did not
 *   start, since root may not look at it (a security module)
 */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(code)) return null;
    throw error;
  }
}
