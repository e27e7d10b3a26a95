/**
 * A running tree is launched from a copy of this package in its home directory, one for each content:
 * npm replaces or removes the package's own directory while daemon, primaries and workers still start
 * processes from it.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { VERSION } from '../version.js';
import { contentsOf } from './contents.js';
import { PACKAGE_ROOT } from './root.js';

/** @import { PackageFile } from './contents.js' */

const require = createRequire(import.meta.url);

/** ms; a daemon that takes over has a minute to start. */
const JUST_USED_MS = 600_000;

/**
 * @param {string} versions the directory of all copies
 * @param {string} [root]
 * @param {{isPublic?: boolean}} [options] isPublic: every user may read the copy
 * @returns {string} the root of a complete copy; of the package itself if none can be made, since an
 *   app must start on a full disk too
 */
export function copyPackage(versions, root = PACKAGE_ROOT, { isPublic = false } = {}) {
  if (path.dirname(path.resolve(root)) === versions) return root;
  try {
    const files = contentsOf(root);
    const digest = digestOf(files, ({ from }) => from);
    const place = path.join(versions, `${VERSION}-${digest.slice(0, 16)}`);
    return provideCopy(files, place, digest, isPublic);
  } catch {
    return root;
  }
}

/**
 * Other processes may make the same copy at the same time, and a daemon may load it already. So whatever
 * is in a place stays; beside a damaged copy, another one is made.
 * @param {PackageFile[]} files
 * @param {string} place
 * @param {string} digest
 * @param {boolean} isPublic
 * @throws {Error}
 */
function provideCopy(files, place, digest, isPublic) {
  for (let number = 1; ; number += 1) {
    const copy = number === 1 ? place : `${place}-${number}`;
    const isOwn = !existsSync(copy);
    if (isOwn) makeCopy(files, copy, isPublic);
    if (isComplete(files, copy, digest)) {
      markUsed(copy);
      return copy;
    }
    // Another one would not be complete either.
    if (isOwn) throw new Error('the package changes while it is copied');
  }
}

/** The daemon of another version must not remove it before something runs from it. @param {string} copy */
function markUsed(copy) {
  try {
    const now = new Date();
    utimesSync(copy, now, now);
  } catch {
    // The disk is read-only now, and nothing can be removed either.
  }
}

/** @param {string} copy @returns {boolean} whether something may be about to run from it */
export function isJustUsed(copy) {
  return Date.now() - statSync(copy).mtimeMs < JUST_USED_MS;
}

/** @param {PackageFile[]} files @param {(file: PackageFile) => string} pathOf */
function digestOf(files, pathOf) {
  // Only a process that starts a daemon, or a primary of another user, loads it.
  const { createHash } = /** @type {typeof import('node:crypto')} */ (require('node:crypto'));
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(pathOf(file));
    hash.update(`${file.to}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * After a power failure, the files of a copy may be empty.
 * @param {PackageFile[]} files
 * @param {string} copy
 * @param {string} digest
 */
function isComplete(files, copy, digest) {
  try {
    return digestOf(files, ({ to }) => path.join(copy, to)) === digest;
  } catch {
    return false;
  }
}

/** @param {PackageFile[]} files @param {string} copy @param {boolean} isPublic */
function makeCopy(files, copy, isPublic) {
  const temporary = `${copy}.${process.pid}.tmp`;
  const before = process.umask(isPublic ? 0o022 : 0o077);
  try {
    for (const directory of new Set(files.map(({ to }) => path.dirname(to)))) {
      mkdirSync(path.join(temporary, directory), { recursive: true });
    }
    for (const { from, to } of files) {
      copyFileSync(from, path.join(temporary, to), constants.COPYFILE_FICLONE);
      if (isPublic) chmodSync(path.join(temporary, to), 0o644);
    }
    moveTo(copy, temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    process.umask(before);
  }
}

/** @param {string} copy @param {string} temporary stays if another process has made the copy */
function moveTo(copy, temporary) {
  try {
    renameSync(temporary, copy);
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!['ENOTEMPTY', 'EEXIST'].includes(code)) throw error;
  }
}
