/** Reads from the files of a home directory which apps it has, without a daemon. */
import { listDirectory } from '../../config/file/inspect-path.js';
import { readDesiredFile } from '../../shared/files/small-file.js';
import { mayRun } from '../../shared/processes/primary-record.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/**
 * @typedef {object} RecordedApp
 * @property {string} name
 * @property {boolean} isStopped on purpose
 * @property {boolean} isRunning its primary is, or may be; after a reboot, none is
 */

/**
 * @param {HomePaths} paths
 * @returns {RecordedApp[]}
 * @throws {NodeclusterError} E_HOME_READ
 */
export function recordedApps(paths) {
  const text = readDesiredFile(paths.desired);
  if (text === null) return [];
  try {
    /** @type {{apps: {spec: {name: string}, stopped: boolean}[]}} */
    const { apps } = JSON.parse(text);
    return apps.map(({ spec: { name }, stopped }) => ({
      name,
      isStopped: stopped,
      isRunning: isRunning(paths, name),
    }));
  } catch {
    // The daemon will report what is wrong with the file.
    return namesOfDirectories(paths).map((name) => ({
      name,
      isStopped: false,
      isRunning: isRunning(paths, name),
    }));
  }
}

/**
 * @param {HomePaths} paths
 * @returns {boolean} true even if no daemon is running: the primaries will start one
 */
export function hasRunningApps(paths) {
  return namesOfDirectories(paths).some((name) => isRunning(paths, name));
}

/** @param {HomePaths} paths */
function namesOfDirectories({ appsDir }) {
  return listDirectory(appsDir);
}

/** @param {HomePaths} paths @param {string} name */
function isRunning({ app }, name) {
  return mayRun(app(name).record);
}
