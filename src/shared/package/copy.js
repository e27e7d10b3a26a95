/**
 * A running tree is launched from a copy of this package in its home directory, one for each state of its files: npm may
 * replace or remove the package while processes are started from it.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { readPackageJson } from '../files/small-file.js';
import { fingerprintOf } from '../fingerprint.js';
import { VERSION } from '../version.js';
import { PACKAGE_ROOT } from './root.js';

/** Of src, what daemon, primaries and workers load. */
const LOADED =
  /^((agent|clients\/serve|config|daemon|errors|features|lifecycle|primary|protocol|shared|show)\/.*\.c?js|clients\/errors\.js)$/;

/**
 * The root of a complete copy; of the package itself on a full disk, where an app must start too.
 * @param {string} versions the directory of all copies
 * @param {string} [root]
 * @param {boolean} [isPublic] for every user
 */
export function copyPackage(versions, root = PACKAGE_ROOT, isPublic = false) {
  if (path.dirname(path.resolve(root)) === versions) return root;
  const before = process.umask(isPublic ? 0o022 : 0o077);
  const copy = attempt(() => makeCopy(versions, root), root);
  process.umask(before);
  return copy;
}

/** @param {string} versions @param {string} root */
function makeCopy(versions, root) {
  const names = fs.readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const loaded = names.filter((name) => LOADED.test(name)).map((name) => path.join('src', name));
  const files = ['package.json', ...loaded.sort()];
  const states = statesOf(files, root);
  // In the published package they are inside its files; a copy of a checkout uses its own.
  const packages =
    readPackageJson(root)?.dependencies && fs.realpathSync(path.join(root, 'node_modules'));
  const copy = path.join(versions, `${VERSION}-${fingerprintOf(`${packages}\n${states}`)}`);
  const isComplete = () => attempt(() => String(statesOf(files, copy)) === String(states), false);
  // After a power failure some may be empty.
  if (!isComplete())
    for (const file of files) copyFile(path.join(root, file), path.join(copy, file));
  if (packages)
    attempt(() => fs.symlinkSync(packages, path.join(copy, 'node_modules')), null, ['EEXIST']);
  if (!isComplete()) throw new Error('the package changes while it is copied');
  const now = new Date();
  // The daemon of another version must not remove it yet; on a read-only disk it cannot.
  attempt(() => fs.utimesSync(copy, now, now), null);
  return copy;
}

/** In seconds, as some disks have them. @param {string[]} files @param {string} root */
function statesOf(files, root) {
  return files.map((file) => {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    return `${file} ${size} ${Math.floor(mtimeMs / 1000)}`;
  });
}

/** Other processes may make or load the same copy. @param {string} original @param {string} copied */
function copyFile(original, copied) {
  const temporary = `${copied}.${process.pid}.tmp`;
  const seconds = Math.floor(fs.statSync(original).mtimeMs / 1000);
  fs.mkdirSync(path.dirname(copied), { recursive: true });
  fs.writeFileSync(temporary, fs.readFileSync(original));
  fs.utimesSync(temporary, seconds, seconds);
  fs.renameSync(temporary, copied);
}
