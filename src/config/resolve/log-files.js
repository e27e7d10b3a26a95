/** Where an app's log files are: paths that can be written, looked up on disk. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** @import { ConfigValue } from '../file/config-value.js' */

/**
 * @param {Record<string, any>} values read values by option key
 * @param {string} cwd what relative paths start from
 * @param {(key: string) => ConfigValue} inputOf
 * @returns {{outFile: string|null, errorFile: string|null, logFile: string|null}}
 */
export function resolveLogFiles(values, cwd, inputOf) {
  const find = (/** @type {string} */ key) => findFile(values[key], cwd, inputOf(key));
  return { outFile: find('out_file'), errorFile: find('error_file'), logFile: find('log_file') };
}

/**
 * @param {string|undefined} wanted
 * @param {string} cwd
 * @param {ConfigValue} input
 */
function findFile(wanted, cwd, input) {
  if (wanted === undefined) return null;
  const file = resolve(cwd, wanted);
  const fault = wanted.endsWith('/') ? 'it ends with a slash' : faultOf(file);
  if (fault !== null) input.reject('a file that can be written', fault);
  return file;
}

/** @param {string} file */
function faultOf(file) {
  if (kindOf(file) === 'directory') return `${file} is a directory`;
  const there = nearestThere(file);
  if (there !== file && kindOf(there) !== 'directory') return `${there} is no directory`;
  return isWritable(there) ? null : `you may not write ${there === file ? 'it' : `in ${there}`}`;
}

/**
 * @param {string} path
 * @returns {string} it, or the nearest directory above it that exists
 */
function nearestThere(path) {
  return kindOf(path) !== null || dirname(path) === path ? path : nearestThere(dirname(path));
}

/** @param {string} path */
function kindOf(path) {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return null;
    return stats.isDirectory() ? 'directory' : 'file';
  } catch (error) {
    // Something above it is a file (ENOTDIR), or may not be entered.
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return null;
    return 'file';
  }
}

/** @param {string} path */
function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
