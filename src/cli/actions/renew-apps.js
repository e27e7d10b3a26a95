/** `reload` and `restart`: on selectors, or by applying an ecosystem file. */
import { applyFile, rollingOptions } from './apply-file.js';
import { commandApps, refuseFileOptions } from './on-apps.js';
import { targetOf } from './targets.js';

/** @import { Context } from '../context.js' */

/**
 * @param {Context} context
 * @param {'reload' | 'restart'} method
 * @returns {Promise<number>} the exit code
 */
export async function renewApps(context, method) {
  const target = targetOf(context.words, context.command);
  if (target.kind !== 'selectors') return applyFile(context, target, method);
  refuseFileOptions(context);
  const { updateEnv } = context.options;
  return commandApps(context, method, {
    selectors: target.selectors,
    updateEnv: updateEnv ? { ...context.env } : null,
    ...rollingOptions(context),
  });
}
