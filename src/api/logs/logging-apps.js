/** Which apps log, asked again and again: they can be started and deleted meanwhile. */
import { connectToDaemon } from '../find-daemon.js';
import { selectorsFor } from '../selectors.js';
import { currentPlace } from '../targets.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

const POLL_MS = 2000;

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

/**
 * @param {() => Promise<LoggingApp[]>} fetchApps
 * @param {(apps: LoggingApp[]) => Promise<void>} onApps not called while no daemon replies
 * @param {AbortSignal} [signal] stops it
 */
export function pollApps(fetchApps, onApps, signal) {
  if (signal?.aborted) return;
  setTimeout(async () => {
    await fetchApps().then(onApps, () => {});
    pollApps(fetchApps, onApps, signal);
  }, POLL_MS).unref();
}
