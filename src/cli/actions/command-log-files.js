/** `flush` and `reload-logs`: commands that work on log files and do not touch workers. */
import { selectorsFor } from '../../api/selectors.js';
import { reportOutcomes } from './request.js';

/** @import { Context } from '../context.js' */

/**
 * @param {Context} context its words are selectors; without words, all apps
 * @param {'flush' | 'reload-logs'} method
 * @returns {Promise<number>} the exit code
 */
export async function commandLogFiles(context, method) {
  const client = await context.openForApps();
  const words = context.words.length > 0 ? context.words : ['all'];
  const selectors = await selectorsFor(context, client, words);
  return reportOutcomes(context, await client.request(method, { selectors }));
}
