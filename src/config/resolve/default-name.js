/** The name of an app that was given none: from its script, its package or its directory. */
import { basename, dirname, extname } from 'node:path';
import { readPackageJson } from '../../shared/files/small-file.js';

/** @import { PackageJson } from '../../shared/files/small-file.js' */

const LONGEST = 64;
/** They say nothing about the app: every project has one. */
const USUAL_STEM = /^(index|app|server|main)$/i;
/** Commands that run whatever the package in the working directory says. */
const PACKAGE_RUNNER = /^(npm|npx|yarn|pnpm|bun|node|sh)$/;
/** Directories inside a project, and the link to its latest release. */
const INNER_DIRECTORY = /^(src|dist|build|lib|bin|out|current)$/;
/** What Nitro and Next.js build, in the directory of the project. */
const BUILD_OUTPUT = /\/\.(output|next)(\/.*)?$/;

/**
 * @param {string} script absolute, or a command
 * @param {string} cwd where a command runs
 * @returns {string} `api` for api.js; for index, app, server and main the name of the package that
 *   they are in, or else of their directory
 */
export function defaultName(script, cwd) {
  const directory = script.includes('/') ? dirname(script) : cwd;
  return ownName(script) ?? projectName(directory) ?? fileName(script) ?? 'app';
}

/**
 * For apps of one file that would have the same name.
 * @param {string} script absolute, or a command
 * @param {string} directory in which it is, or runs
 * @returns {string|null} `api` for api/index.js, `api-worker` for api/worker.js; null: the directory has no name that
 *   an app can have
 */
export function distinctName(script, directory) {
  const [own, place] = [ownName(script), directoryName(directory)];
  return own === null || place === null ? place : validName(`${place}-${own}`);
}

/** @param {string} script @returns {string|null} null: its file says nothing about the app */
function ownName(script) {
  const isCommand = !script.includes('/');
  const stem = basename(script, isCommand ? '' : extname(script));
  const isUsual = isCommand ? PACKAGE_RUNNER.test(stem) : USUAL_STEM.test(stem);
  return isUsual ? null : fileName(script);
}

/**
 * @param {string} script absolute, or a command
 * @returns {string|null} `server` for server.js; null: its file has no name that an app can have
 */
export function fileName(script) {
  return validName(script.includes('/') ? basename(script, extname(script)) : script);
}

/**
 * @param {string} directory absolute
 * @param {PackageJson|null} [packageJson] the nearest one
 * @returns {string|null} the name of the package, or else of the directory; null if neither has a
 *   name that an app can have
 */
export function projectName(directory, packageJson = nearestPackage(projectOf(directory))) {
  const name = packageJson?.name;
  const own = typeof name === 'string' ? validName(name.replace(/^@[^/]*\//, '')) : null;
  return own ?? directoryName(directory);
}

/** @param {string} directory */
function projectOf(directory) {
  return directory.replace(BUILD_OUTPUT, '') || '/';
}

/** @param {string} directory @returns {PackageJson|null} */
function nearestPackage(directory) {
  const found = readPackageJson(directory);
  const parent = dirname(directory);
  if (parent === directory || (found && !/\/(dist|build)(\/|$)/.test(directory))) return found;
  // The one in a build describes the build, unless the project itself is in a directory called build.
  return nearestPackage(parent) ?? found;
}

/** @param {string} directory @returns {string|null} */
function directoryName(directory) {
  const project = projectOf(directory);
  const name = basename(project);
  return INNER_DIRECTORY.test(name) ? directoryName(dirname(project)) : validName(name);
}

/**
 * @param {string} text
 * @returns {string|null} the text as far as the name of an app may contain it; null: nothing is left
 */
function validName(text) {
  const name = text
    .replace(/[^A-Za-z0-9._@-]+/g, '-')
    .replace(/^[.-]+|-+$/g, '')
    .slice(0, LONGEST);
  if (name === '') return null;
  return /^(\d+|all)$/.test(name) ? `app-${name}`.slice(0, LONGEST) : name;
}
