/** Whether a home has anything for a daemon to do, read from its files before anything is changed. */
import { readdirSync } from 'node:fs';
import { readDesiredFile } from '../shared/files/small-file.js';
import { mayRun } from '../shared/processes/primary-record.js';

/** @import { HomePaths } from '../shared/home.js' */

/**
 * A primary starts the next daemon when it has lost its own. Until that one holds the lock, `kill` may
 * have ended everything through another daemon, and nothing of the home may be left behind.
 * @param {HomePaths} paths
 * @returns {boolean} whether an app runs, should run or is being deleted; true if that is not clear
 */
export function isDaemonNeeded({ appsDir, app, desired }) {
  return readdirSync(appsDir).some((name) => mayRun(app(name).record)) || mayHaveWork(desired);
}

/** @param {string} file */
function mayHaveWork(file) {
  try {
    const text = readDesiredFile(file);
    if (text === null) return false;
    /** @type {{apps: {stopped: boolean, deleting?: boolean}[]}} */
    const { apps } = JSON.parse(text);
    return apps.some(({ stopped, deleting }) => !stopped || deleting);
  } catch {
    return true;
  }
}
