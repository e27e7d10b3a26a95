/** An ecosystem file, handed to the daemon to make it so. */
import { ask, conclude } from './ask.js';
import { jsonText } from './render/mask.js';
import { renderPlan } from './render/plan.js';
import { wantedFromFile } from './wanted.js';

/**
 * @param {import('./context.js').Context} context
 * @param {import('./targets.js').FileTarget} target
 * @param {'start' | 'reload' | 'restart'} action
 * @returns {Promise<number>} the exit code
 */
export async function applyFile(context, target, action) {
  const { specs, file } = await wantedFromFile(context, target);
  const client = /** @type {import('./context.js').Client} */ (
    await context.daemons.open('always')
  );
  const { prune = false, dryRun = false, updateEnv = false, only = null } = context.options;
  const params = { specs, action, prune, dryRun, updateEnv, only, file };
  const result = await ask(context, client, 'apply', params);
  if (!dryRun) {
    context.note(renderPlan(result.plan, result.unlisted, context.stderr));
    return conclude(context, client, result);
  }
  const { options, print, stdout } = context;
  print(options.json ? jsonText(result) : renderPlan(result.plan, result.unlisted, stdout));
  return 0;
}
