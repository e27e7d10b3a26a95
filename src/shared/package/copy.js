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
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { VERSION } from '../version.js';
import { readPackageJson } from '../files/small-file.js';
import { PACKAGE_ROOT } from './root.js';

const require = createRequire(import.meta.url);

/** The rooms of src/ that daemon, primaries and workers load. */
const ROOMS = [
  'agent',
  'clients/serve',
  'config',
  'daemon',
  'errors',
  'features',
  'lifecycle',
  'primary',
  'protocol',
  'shared',
];
/** Files for people and for compilers. */
const NOT_LOADED = /\.d\.[cm]?ts$|\.map$|\.md$/;

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
    const digest = digestOf(files, root);
    const place = path.join(versions, `${VERSION}-${digest.slice(0, 16)}`);
    return provideCopy({ root, files, packages: packagesOf(root), isPublic }, place, digest);
  } catch {
    return root;
  }
}

/**
 * @typedef {object} Original
 * @property {string} root
 * @property {string[]} files relative to it, and to a copy
 * @property {string | null} packages the directory of those that it uses
 * @property {boolean} isPublic
 */

/** @param {string} root of the package @returns {string[]} files relative to it, in a fixed order */
function contentsOf(root) {
  const rooms = ROOMS.map((room) => path.join(root, 'src', room));
  const options = /** @type {const} */ ({ recursive: true, withFileTypes: true });
  // In the published package, most rooms are inside other files.
  const entries = rooms.filter(existsSync).flatMap((room) => readdirSync(room, options));
  const own = entries
    .filter((entry) => !entry.isDirectory() && !NOT_LOADED.test(entry.name))
    .map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)));
  return ['package.json', ...own.sort()];
}

/** @param {string} root @throws {Error} they are elsewhere */
function packagesOf(root) {
  // In the published package they are inside its files; a copy of a checkout uses its own.
  const { dependencies = {} } = readPackageJson(root) ?? {};
  if (Object.keys(dependencies).length === 0) return null;
  return realpathSync(path.join(root, 'node_modules'));
}

/**
 * Other processes may make the same copy at the same time, and a daemon may load it already. So whatever
 * is in a place stays; beside a damaged copy, another one is made.
 * @param {Original} original
 * @param {string} place
 * @param {string} digest
 * @throws {Error}
 */
function provideCopy(original, place, digest) {
  for (let number = 1; ; number += 1) {
    const copy = number === 1 ? place : `${place}-${number}`;
    const isOwn = !existsSync(copy);
    if (isOwn) makeCopy(original, copy);
    // After a power failure, its files may be empty.
    if (attempt(() => digestOf(original.files, copy) === digest, false)) {
      const now = new Date();
      // The daemon of another version must not remove it yet; on a read-only disk it cannot.
      attempt(() => utimesSync(copy, now, now), null);
      return copy;
    }
    // Another one would not be complete either.
    if (isOwn) throw new Error('the package changes while it is copied');
  }
}

/** @param {string[]} files @param {string} root of the package, or of a copy */
function digestOf(files, root) {
  // Only a process that starts a daemon, or a primary of another user, loads it.
  const { createHash } = /** @type {typeof import('node:crypto')} */ (require('node:crypto'));
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** @param {Original} original @param {string} copy */
function makeCopy({ root, files, packages, isPublic }, copy) {
  const temporary = `${copy}.${process.pid}.tmp`;
  const before = process.umask(isPublic ? 0o022 : 0o077);
  try {
    for (const directory of new Set(files.map((file) => path.dirname(file)))) {
      mkdirSync(path.join(temporary, directory), { recursive: true });
    }
    for (const file of files) {
      const copied = path.join(temporary, file);
      copyFileSync(path.join(root, file), copied, constants.COPYFILE_FICLONE);
      if (isPublic) chmodSync(copied, 0o644);
    }
    if (packages) symlinkSync(packages, path.join(temporary, 'node_modules'));
    // Another process may have made the copy meanwhile.
    attempt(() => renameSync(temporary, copy), null, ['ENOTEMPTY', 'EEXIST']);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    process.umask(before);
  }
}
