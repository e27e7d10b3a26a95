/** Commands on apps that are known already, by selectors. */
import { NodeclusterError } from '../../errors/error.js';
import { ask, conclude } from './ask.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 */

/**
 * @param {Context} context
 * @returns {Promise<DaemonClient>} of a home that has apps
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function openForApps({ daemons, command }) {
  const client = await daemons.open('recorded');
  if (!client) throw new NodeclusterError('E_NO_APPS', { command, home: daemons.home });
  return client;
}

/**
 * @param {Context} context
 * @template {CommandName} K
 * @param {K} method
 * @param {DaemonMethods[K]['params']} params
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, and what the daemon refuses
 */
export async function commandApps(context, method, params) {
  const client = await openForApps(context);
  return conclude(context, client, await ask(context, client, method, params));
}

/**
 * @param {Context} context
 * @throws {NodeclusterError} E_OPTION_NEEDS_FILE when an option was given that selectors cannot use
 */
export function refuseFileOptions({ options, command }) {
  for (const [key, option] of Object.entries(fileOnly)) {
    if (options[key] !== undefined) {
      throw new NodeclusterError('E_OPTION_NEEDS_FILE', { option, command });
    }
  }
}

const fileOnly = {
  only: '--only',
  env: '--env',
  lenient: '--lenient',
  prune: '--prune',
  dryRun: '--dry-run',
};
