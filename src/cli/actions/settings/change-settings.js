/** `reload` and `restart` with options of `start`: apps get new settings, and keep all others. */
import { fetchChangedSpecs } from '../../../api/changed-specs.js';
import { selectorsFor } from '../../../api/selectors.js';
import { flagsToEntries } from '../../../config/flags.js';
import { noteChanges } from '../apply-file.js';
import { conclude, openForApps, request } from '../request.js';
import { showWarnings, specParams } from '../specs.js';

/**
 * @import { NodeclusterError } from '../../../errors/error.js'
 * @import { Rolling } from '../../../protocol/methods.js'
 * @import { Context } from '../../context.js'
 */

/**
 * @param {Context} context with settings on its command line
 * @param {string[]} words
 * @param {{action: 'reload' | 'restart', wait?: boolean} & Rolling} order
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and what the daemon replies
 */
export async function changeSettings(context, words, order) {
  const { options, programArgs: args, cwd } = context;
  const settings = flagsToEntries(options);
  const client = await openForApps(context);
  const selectors = await selectorsFor(context, client, words);
  const change = { action: order.action, settings, args, cwd };
  const { specs, warnings } = await fetchChangedSpecs(client, selectors, change);
  showWarnings(context, warnings);
  const { updateEnv = false } = options;
  const params = { ...specParams(context, specs), ...order, updateEnv };
  const result = await request(context, client, 'apply', params, (plan) =>
    noteChanges(context, plan, { specs, apply: 'nodecluster apply' }),
  );
  return conclude(context, client, result);
}
