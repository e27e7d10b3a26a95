/** An ecosystem file, handed to the daemon to make it so. */
import { ask, conclude } from './ask.js';
import { jsonText } from './render/mask.js';
import { renderPlan } from './render/plan.js';
import { wantedFromFile } from './wanted.js';

/** @typedef {import('./context.js').Context} Context */

/**
 * @param {Context} context
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
  const params = {
    specs,
    action,
    prune,
    dryRun,
    updateEnv,
    only,
    file,
    ...rollingOptions(context),
  };
  const result = await ask(context, client, 'apply', params);
  if (!dryRun) {
    noteChanges(context, result);
    return conclude(context, client, result);
  }
  const { options, print, stdout } = context;
  print(options.json ? jsonText(result) : renderPlan(result.plan, result.unlisted, stdout));
  return 0;
}

/**
 * Why something was done, and what was left alone; the outcomes say the rest.
 * @param {Context} context
 * @param {{plan: import('./render/plan.js').PlanEntry[], unlisted: string[]}} result
 */
function noteChanges({ note, stderr }, { plan, unlisted }) {
  const changed = plan.filter(({ changes = [] }) => changes.length > 0);
  if (changed.length + unlisted.length > 0) note(renderPlan(changed, unlisted, stderr));
}

/**
 * @param {Context} context
 * @returns {object} how workers are to be replaced: only what was said
 */
export function rollingOptions({ options }) {
  const said = ['parallel', 'onFailure', 'wait'].filter((key) => options[key] !== undefined);
  return Object.fromEntries(said.map((key) => [key, options[key]]));
}
