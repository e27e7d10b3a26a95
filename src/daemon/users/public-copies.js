/** Copies of this package that every user can read; the daemon's own is in its private home. */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { copyPackage } from '../../shared/package/copy.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { isBeingMade } from '../copies.js';

/** Only root may write there, and it is empty after a reboot. */
export const PUBLIC_COPIES = path.join(
  process.platform === 'darwin' ? '/var/run' : '/run',
  'nodecluster',
);
/** In octal: others may write there. */
const WRITABLE = 0o022;

/**
 * @param {string} file of this package
 * @returns {string} the same file in the copy, or itself if there can be none
 */
export function publicPathOf(file) {
  const root = hasDirectory() ? copyPackage(PUBLIC_COPIES, PACKAGE_ROOT, { isPublic: true }) : null;
  return root === null ? file : path.join(root, path.relative(PACKAGE_ROOT, file));
}

/** @returns {boolean} whether it is there, and only root can change what is in it */
function hasDirectory() {
  const before = process.umask(WRITABLE);
  try {
    mkdirSync(PUBLIC_COPIES, { recursive: true });
    const stats = lstatSync(PUBLIC_COPIES);
    return stats.isDirectory() && stats.uid === 0 && (stats.mode & WRITABLE) === 0;
  } catch {
    return false;
  } finally {
    process.umask(before);
  }
}

/** ms; another daemon may be about to start a primary from a copy that it has just made. */
const MIN_AGE_MS = 3_600_000;

/**
 * Those from which nothing runs. Daemons of several homes share them, and a primary of another user may lie, so only the
 * kernel is asked: each such primary inherits a descriptor of a directory in its copy.
 * @param {string} [directory] of the copies. Without /proc (macOS) they stay until the next boot
 */
export function removeUnusedPublicCopies(directory = PUBLIC_COPIES) {
  try {
    const copies = readdirSync(directory).map((name) => path.join(directory, name));
    const old = copies.filter((copy) => {
      const { mtimeMs } = statSync(copy);
      return !isBeingMade(copy) && Date.now() - mtimeMs > MIN_AGE_MS;
    });
    if (old.length === 0) return;
    const opened = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(openFiles);
    const isUsed = (/** @type {string} */ copy) =>
      opened.some((file) => file.startsWith(`${copy}/`));
    for (const copy of old) if (!isUsed(copy)) rmSync(copy, { recursive: true, force: true });
  } catch {
    // There are none, another daemon is removing one, or not all processes could be inspected.
  }
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
