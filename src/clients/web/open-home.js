/** The home whose apps the page shows. */
import { homePaths } from '../../shared/home.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

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
