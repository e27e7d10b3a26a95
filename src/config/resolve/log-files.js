/** Resolves the paths of an app's log files, and checks that they are writable. */
import { constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inspectPath, isAccessible } from '../file/inspect-path.js';

/** @import { ConfigValue } from '../file/config-value.js' */

/**
 * @param {Record<string, any>} values by option key
 * @param {string} cwd what relative paths start from
 * @param {(key: string) => ConfigValue} inputOf
 * @returns {{outFile: string|null, errorFile: string|null, logFile: string|null}}
 */
export function resolveLogFiles(values, cwd, inputOf) {
  const resolveFile = (/** @type {string} */ key) => {
    const path = values[key];
    if (path === undefined) return null;
    const file = resolve(cwd, path);
    const fault = path.endsWith('/') ? 'it ends with a slash' : describeFault(file);
    if (fault !== null) inputOf(key).reject('a file that can be written', fault);
    return file;
  };
  return {
    outFile: resolveFile('out_file'),
    errorFile: resolveFile('error_file'),
    logFile: resolveFile('log_file'),
  };
}

/** @param {string} file */
function describeFault(file) {
  const existing = nearestExisting(file);
  const { kind, fault } = inspectPath(existing);
  if (fault !== null) return `${existing}: ${fault}`;
  if (existing === file && kind === 'directory') return `${file} is a directory`;
  if (existing !== file && kind !== 'directory') return `${existing} is not a directory`;
  if (isAccessible(existing, constants.W_OK)) return null;
  return `you may not write ${existing === file ? 'it' : `in ${existing}`}`;
}

/**
 * @param {string} path
 * @returns {string} the path, or the nearest directory above it that exists
 */
function nearestExisting(path) {
  const isThere = isAccessible(path, constants.F_OK) || dirname(path) === path;
  return isThere ? path : nearestExisting(dirname(path));
}
