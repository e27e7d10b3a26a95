/** The log files of a worker. */
import path from 'node:path';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { HomePaths } from '../home.js'
 */

export const NOWHERE = '/dev/null';

/**
 * Absolute paths; empty: not logged. With `logFile`, a stream has its own file only if one is set.
 * @param {Pick<Spec, 'name' | 'uid' | 'mergeLogs' | 'outFile' | 'errorFile' | 'logFile'>} settings
 * @param {Pick<HomePaths, 'logFile'>} paths
 * @param {number} slot
 */
export function logPaths({ name, uid, mergeLogs, outFile, errorFile, logFile }, paths, slot) {
  const prefix = mergeLogs ? name : `${name}-${slot}`;
  const named = (/** @type {string} */ file) =>
    mergeLogs || file === NOWHERE ? file : pathOfSlot(file, slot);
  const pathsOf = (/** @type {'out' | 'error'} */ stream, /** @type {string | null} */ file) => {
    const standard = logFile === null ? paths.logFile(prefix, stream, { name, uid }) : null;
    const own = file === null ? standard : named(file);
    const both = logFile === null ? null : named(logFile);
    const all = [own, both].filter((one) => one !== null && one !== NOWHERE);
    return /** @type {string[]} */ ([...new Set(all)]);
  };
  return { out: pathsOf('out', outFile), error: pathsOf('error', errorFile) };
}

/** @param {string} file @param {number} slot @returns {string} `api-1.log` for `api.log` */
export function pathOfSlot(file, slot) {
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-${slot}${ext}`);
}
