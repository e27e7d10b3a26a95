/** Looks up what a command names: files, commands, packages. */
import { constants, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { attempt } from '../../errors/error.js';
import { inspectPath, isAccessible } from '../../shared/files/inspect-path.js';
import { readPackageJson, readSmallFile } from '../../shared/files/small-file.js';

export const NODE_EXTENSION = /^\.[cm]?[jt]s$/;
/** More than a bundled program has, and less than Node itself. */
const MAX_SCRIPT_BYTES = 16 * 1024 * 1024;

/** @param {string} path */
export function isExecutable(path) {
  return isFile(path) && isAccessible(path, constants.X_OK);
}

/** @param {string} name without a slash @param {string} [searchPath] as PATH @returns {string | null} its path */
export function locateCommand(name, searchPath = '') {
  const directories = searchPath.split(delimiter).filter(Boolean);
  const found = directories.find((directory) => isExecutable(join(directory, name)));
  return found === undefined ? null : join(found, name);
}

/** @param {string} path */
function isFile(path) {
  return inspectPath(path).kind === 'file';
}

/** @param {string} path as after `node` @returns {string | null} the file that Node runs: `server` is server.js, and a directory its main file */
export function locateMain(path) {
  const main = readPackageJson(path)?.main;
  const inside = [
    ...(typeof main === 'string' ? [main, `${main}.js`, `${main}/index.js`] : []),
    'index.js',
  ];
  return [path, `${path}.js`, ...inside.map((each) => join(path, each))].find(isFile) ?? null;
}

/** @param {string} path @returns its text; empty if it cannot be read, or is too large for a script */
export function readBounded(path) {
  return attempt(() => readSmallFile(path, MAX_SCRIPT_BYTES), '');
}

/** @param {string} path of a program @returns {string[]} its name and that of its package; none if it is of no package */
export function knownNames(path) {
  const real = attempt(() => realpathSync(path), '');
  const [, owner] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(real) ?? [];
  return owner === undefined ? [] : [basename(path), owner];
}

/** @param {string} directory absolute @param {string} path @returns which of it and its parents has that */
export function nearestWith(directory, path) {
  const has = (/** @type {string} */ each) => inspectPath(join(each, path)).kind !== null;
  return parentsOf(directory).find(has) ?? null;
}

/** @param {string} directory absolute @returns {string[]} those of its programs, the nearest first */
export function binDirectoriesOf(directory) {
  return parentsOf(directory)
    .map((each) => join(each, 'node_modules', '.bin'))
    .filter((each) => inspectPath(each).kind === 'directory');
}

/** @param {string} script of a project, not of a package @param {RegExp} packages @returns {string | null} which of them it depends on */
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
