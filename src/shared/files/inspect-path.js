/** What is at a path, where nothing may be or where it may not be read. */
import {
  accessSync,
  constants,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { attempt } from '../../errors/error.js';

/**
 * `fault`: why the path cannot be inspected or the directory entered; kind is then null, as if nothing existed.
 * @param {string} path
 */
export function inspectPath(path) {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return { kind: 'file', fault: null };
    if (!stats.isDirectory()) return { kind: null, fault: null };
    accessSync(path, constants.X_OK);
    return { kind: 'directory', fault: null };
  } catch (error) {
    const { code, errno, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: null, fault: null };
    return { kind: null, fault: getSystemErrorMap().get(errno ?? 0)?.[1] ?? message };
  }
}

/** @param {string} path @param {number} mode of `access` */
export function isAccessible(path, mode) {
  return attempt(() => accessSync(path, mode) === undefined, false);
}

/** @param {string} directory @returns {string[]} the names in it; none if it cannot be read */
export function listDirectory(directory) {
  return attempt(() => readdirSync(directory), []);
}

/** @param {string} file @returns {string} its text; empty if it cannot be read */
export function readText(file) {
  return attempt(() => readFileSync(file, 'utf8'), '');
}

/**
 * The system resolves symbolic links; the shell keeps the path in PWD. Paths of apps must keep a `current` link, so that a
 * reload resolves it again.
 * @param {{cwd?: string, env?: Record<string, string|undefined>}} [options]
 */
export function workingDirectory({ cwd = currentDirectory(), env = process.env } = {}) {
  const { PWD = '' } = env;
  const isSame = () => PWD.startsWith('/') && realpathSync(PWD) === realpathSync(cwd);
  return attempt(isSame, false) ? PWD : cwd;
}

/** @returns {string} of a directory that was deleted, a path at which nothing is */
function currentDirectory() {
  const link = () => readlinkSync('/proc/self/cwd');
  return attempt(() => process.cwd(), null) ?? attempt(link, '/(deleted)');
}

/** Where the files are the kernel's; in /dev/shm are those of programs. */
const KERNEL_FILES = /^\/(proc|sys|dev(?!\/shm\/))(\/|$)/;

/** @param {string} directory an absolute path @returns {boolean} whether it holds more than any program */
export function isOfSystem(directory) {
  return directory === '/' || KERNEL_FILES.test(directory);
}
