/** Copies of this package that every user can read; the daemon's own is in its private home. */
import { lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { copyPackage } from '../../shared/package/copy.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';

/** Only root may write there, and it is empty after a reboot: until then nothing removes the copies of earlier versions. */
const PUBLIC_COPIES = path.join(process.platform === 'darwin' ? '/var/run' : '/run', 'nodecluster');
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
