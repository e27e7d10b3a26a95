/** Reads which apps a home directory has, and whether they run, from its files, without a daemon. */
import { existsSync, readFileSync } from 'node:fs';
import { listDirectory } from '../../config/file/inspect-path.js';
import { isAlive } from '../../shared/processes/identity.js';

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

/**
 * @param {HomePaths} paths
 * @returns {boolean} true even if no daemon is running: the primaries will start one
 */
export function hasRunningApps({ appsDir, app }) {
  return listDirectory(appsDir).some((name) => {
    try {
      return isAlive(JSON.parse(readFileSync(app(name).record, 'utf8')));
    } catch {
      return false;
    }
  });
}
