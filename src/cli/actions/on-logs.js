/** `flush` and `reload-logs`: what is done to log files, and to no worker. */
import { exitCodes } from '../../errors/exit-codes.js';
import { openForApps } from './on-apps.js';
import { jsonText } from '../render/mask.js';
import { renderOutcome } from '../render/outcome.js';

/**
 * @import { Context } from '../context.js'
 * @import { Result } from './ask.js'
 */

/**
 * @param {Context} context
 * @param {'flush' | 'reload-logs'} method
 * @returns {Promise<number>} the exit code
 */
export async function onLogs(context, method) {
  const { words, options, print, note, stderr } = context;
  const client = await openForApps(context);
  const selectors = words.length > 0 ? words : ['all'];
  /** @type {Result} */
  const result = await client.request(method, { selectors });
  for (const outcome of result.apps) note(renderOutcome(outcome, stderr));
  if (options.json) print(jsonText(result));
  return result.apps.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.appFailed;
}
