import { connectToDaemon } from '../find-daemon.js';
import { selectorsFor } from '../selectors.js';
import { currentPlace } from '../targets.js';

/** @import { HomePaths } from '../../shared/home.js' */

/**
 * Uses a connection of its own, because following logs goes on when the daemon is replaced.
 * @param {HomePaths} paths
 * @param {string} role of this process
 * @param {string[]} words
 */
export async function fetchLoggingApps(paths, role, words) {
  const client = await connectToDaemon(paths, role);
  try {
    const selectors = await selectorsFor(currentPlace(), client, words);
    return (await client.request('log-files', { selectors })).apps;
  } finally {
    client.close();
  }
}
