/** The home whose apps the page shows, and requests to its daemon. */
import { connectToDaemon } from '../../api/find-daemon.js';
import { homePaths } from '../../shared/home.js';

/**
 * @import { Context } from '../../cli/context.js'
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

/**
 * Starts the daemon if there are apps and none runs; later it starts none.
 * @param {Context} context
 * @returns {Promise<HomePaths>}
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function openHome(context) {
  await context.openForApps();
  context.daemons.close();
  return homePaths(context.daemons.home);
}
