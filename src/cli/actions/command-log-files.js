/** `flush` and `reload-logs`: commands on log files that touch no worker. */
import { openForApps, reportOutcomes } from './request.js';

/** @import { Context } from '../context.js' */

/**
 * @param {Context} context whose words are selectors; without any, all apps
 * @param {'flush' | 'reload-logs'} method
 * @returns {Promise<number>} the exit code
 */
export async function commandLogFiles(context, method) {
  const client = await openForApps(context);
  const selectors = context.words.length > 0 ? context.words : ['all'];
  return reportOutcomes(context, await client.request(method, { selectors }));
}
