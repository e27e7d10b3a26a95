/** Requests to the daemon of one home. */
import { connectToDaemon } from '../../api/find-daemon.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

export const ROLE = 'web';

/**
 * On a connection of its own, so that none is open while nothing is asked.
 * @template T
 * @param {HomePaths} paths
 * @param {(client: DaemonClient) => Promise<T>} use
 */
export async function askDaemon(paths, use) {
  const client = await connectToDaemon(paths, ROLE);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
