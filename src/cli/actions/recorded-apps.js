/** Reads from the files of a home directory which apps it has, without a daemon. */
import { existsSync, readFileSync } from 'node:fs';
import { listDirectory } from '../../config/file/inspect-path.js';

/** @import { HomePaths } from '../../shared/home.js' */

/**
 * @param {HomePaths} paths
 * @returns {{name: string, isStopped: boolean}[]}
 */
export function recordedApps({ desired, appsDir }) {
  if (!existsSync(desired)) return [];
  try {
    /** @type {{apps: {spec: {name: string}, stopped: boolean}[]}} */
    const { apps } = JSON.parse(readFileSync(desired, 'utf8'));
    return apps.map(({ spec, stopped }) => ({ name: spec.name, isStopped: stopped }));
  } catch {
    // The daemon will report what is wrong with the file.
    return listDirectory(appsDir).map((name) => ({ name, isStopped: false }));
  }
}
