/** An ecosystem file, handed to the daemon to make it so. */
import { ask, conclude } from './ask.js';
import { jsonText } from '../render/mask.js';
import { renderPlan } from '../render/plan.js';
import { wantedFromFile, withOneShellEnv } from './wanted.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 * @import { PlanEntry, Source } from '../render/plan.js'
 * @import { FileTarget } from './targets.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @param {'start' | 'reload' | 'restart'} action
 * @returns {Promise<number>} the exit code
 */
export async function applyFile(context, target, action) {
  const { specs, file } = await wantedFromFile(context, target);
  const client = /** @type {DaemonClient} */ (await context.daemons.open('always'));
  const { prune = false, dryRun = false, updateEnv = false, only = null } = context.options;
  const order = { action, prune, dryRun, updateEnv, only, file, ...rollingOptions(context) };
  const params = { ...withOneShellEnv(specs, context), ...order };
  const source = { specs, reload: reloadCommand(context, target) };
  const result = await ask(context, client, 'apply', params, (told) =>
    noteChanges(context, told, source),
  );
  if (!dryRun) return conclude(context, client, result);
  const { options, print, stdout } = context;
  print(options.json ? jsonText(result) : renderPlan(result.plan, result.unlisted, source, stdout));
  return 0;
}

/**
 * What will be done and why, and what is left alone; the outcomes say the rest.
 * @param {Context} context
 * @param {{plan: PlanEntry[], unlisted: string[]}} told
 * @param {Source} source
 */
function noteChanges({ note, stderr }, { plan, unlisted }, source) {
  const changed = plan.filter(({ changes = [] }) => changes.length > 0);
  if (changed.length + unlisted.length === 0) return;
  note(renderPlan(changed, unlisted, source, stderr));
}

/**
 * @param {Context} context
 * @param {FileTarget} target
 */
function reloadCommand({ options }, target) {
  const file = target.kind === 'file' ? [target.file] : [];
  const env = options.env === undefined ? [] : ['--env', options.env];
  return ['nodecluster reload', ...file, ...env].join(' ');
}

/**
 * @param {Context} context
 * @returns {object} how workers are to be replaced: only what was said
 */
export function rollingOptions({ options }) {
  const said = ['parallel', 'onFailure', 'wait'].filter((key) => options[key] !== undefined);
  return Object.fromEntries(said.map((key) => [key, options[key]]));
}
