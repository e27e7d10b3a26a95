/** Looks up what a command names: files, commands, packages. */
import { closeSync, constants, openSync, readSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, extname, join } from 'node:path';
import { attempt } from '../../errors/error.js';
import { inspectPath, isAccessible } from '../../shared/files/inspect-path.js';
import { readPackageJson } from '../../shared/files/small-file.js';

export const NODE_EXTENSION = /^\.[cm]?[jt]s$/;
/** Enough for a source file, and for a script of pnpm in node_modules/.bin. */
const START_BYTES = 256 * 1024;
const CLI_FILE = /^(npm|npx|pnpm|yarn)(-cli)?\.c?js$/;

/** @param {string} path */
export function isExecutable(path) {
  return inspectPath(path).kind === 'file' && isAccessible(path, constants.X_OK);
}

/**
 * @param {string} name without a slash
 * @param {string} [searchPath] directories, as in PATH
 * @returns {string | null} its path
 */
export function locateCommand(name, searchPath = '') {
  const directories = searchPath.split(delimiter).filter(Boolean);
  const found = directories.find((directory) => isExecutable(join(directory, name)));
  return found === undefined ? null : join(found, name);
}

/**
 * @param {string} path absolute, as after `node`
 * @returns {string | null} the file that Node runs: `server` is server.js, and a directory its main file
 */
export function locateMain(path) {
  const isFile = (/** @type {string} */ each) => inspectPath(each).kind === 'file';
  const file = [path, `${path}.js`].find(isFile);
  if (file) return file;
  const main = readPackageJson(path)?.main;
  const inside = [
    ...(typeof main === 'string' ? [main, `${main}.js`, `${main}/index.js`] : []),
    'index.js',
  ];
  return inside.map((each) => join(path, each)).find(isFile) ?? null;
}

/** @param {string} path @returns {string} the start of the file; empty if it cannot be read */
export function readStart(path) {
  // Reading anything but a file, such as a pipe, could take forever.
  if (inspectPath(path).kind !== 'file') return '';
  const start = Buffer.alloc(START_BYTES);
  return attempt(() => {
    const file = openSync(path, 'r');
    try {
      return start.toString('latin1', 0, readSync(file, start));
    } finally {
      closeSync(file);
    }
  }, '');
}

/** @param {string} path @returns {string} without symbolic links */
function resolvePath(path) {
  return attempt(() => realpathSync(path), path);
}

/**
 * @param {string} path of a program
 * @returns {string[]} what it may be known as: its name in node_modules/.bin, its package, and which
 *   command of a package manager it is
 */
export function knownNames(path) {
  const real = resolvePath(path);
  const [, owner] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(real) ?? [];
  const [, cli] = (owner && CLI_FILE.exec(basename(real))) || [];
  const isBin = dirname(path).endsWith('/node_modules/.bin');
  return [cli, isBin ? basename(path) : undefined, owner].filter((name) => name !== undefined);
}

/** @param {string} path @returns {boolean} whether Node runs it by its extension, or that of the link's target */
export function hasNodeExtension(path) {
  if (extname(path) !== '') return NODE_EXTENSION.test(extname(path));
  return NODE_EXTENSION.test(extname(resolvePath(path)));
}

/** @param {string} directory absolute @param {string} path in it or in a parent */
export function nearestOf(directory, path) {
  return (
    parentsOf(directory)
      .map((each) => join(each, path))
      .find((each) => inspectPath(each).kind !== null) ?? null
  );
}

/** @param {string} directory absolute @returns {string[]} those of its programs, the nearest first */
export function binDirectoriesOf(directory) {
  return parentsOf(directory)
    .map((each) => join(each, 'node_modules', '.bin'))
    .filter((each) => inspectPath(each).kind === 'directory');
}

/**
 * @param {string} script absolute
 * @param {RegExp} packages
 * @returns {string | null} which of them its project depends on; null: none, or it is a program of a package itself
 */
export function dependencyOf(script, packages) {
  if (script.includes('/node_modules/')) return null;
  const projects = parentsOf(dirname(script)).map((each) => readPackageJson(each)?.dependencies);
  const dependencies = Object.keys(projects.find((each) => each) ?? {});
  return dependencies.find((name) => packages.test(name)) ?? null;
}

/** @param {string} path @returns {string[]} it and all above it */
export function parentsOf(path) {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...parentsOf(parent)];
}
