/** Asks the daemon to bring its apps in line with an ecosystem file. */
import { jsonText } from '../render/mask.js';
import { renderPlan } from '../render/plan.js';
import { conclude, request } from './request.js';
import { loadSpecs, showWarnings, specParams } from './specs.js';

/**
 * @import { Rolling } from '../../protocol/methods.js'
 * @import { Plan } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { Source } from '../render/plan.js'
 * @import { FileTarget } from './targets.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @param {'start' | 'reload' | 'restart'} action
 * @param {Rolling & {wait?: boolean}} [rolling] options of `reload`
 * @returns {Promise<number>} the exit code
 */
export async function applyFile(context, target, action, rolling = {}) {
  const { options, print, stdout } = context;
  const { specs, file, warnings } = await loadSpecs(context, target);
  showWarnings(context, warnings);
  const client = await context.daemons.start();
  const { prune = false, dryRun = false, updateEnv = false } = options;
  const params = {
    ...specParams(context, specs),
    ...rolling,
    action,
    prune,
    dryRun,
    updateEnv,
    only: options.only ? specs.map(({ name }) => name) : null,
    file,
  };
  const source = { specs, reload: reloadCommand(context, target) };
  const result = await request(context, client, 'apply', params, (plan) =>
    noteChanges(context, plan, source),
  );
  if (!dryRun) return conclude(context, client, result);
  print(options.json ? jsonText(result) : renderPlan(result.plan, result.unlisted, source, stdout));
  return 0;
}

/**
 * Shows only what changes and which apps are no longer in the file; the outcomes show the rest.
 * @param {Context} context
 * @param {Plan} planned
 * @param {Source} source
 */
function noteChanges({ note, stderr }, { plan, unlisted }, source) {
  const changed = plan.filter(({ changes = [] }) => changes.length > 0);
  if (changed.length + unlisted.length === 0) return;
  note(renderPlan(changed, unlisted, source, stderr));
}

/** @param {Context} context @param {FileTarget} target */
function reloadCommand({ options }, target) {
  const file = target.kind === 'file' ? ` ${target.file}` : '';
  const env = options.env === undefined ? '' : ` --env ${options.env}`;
  return `nodecluster reload${file}${env}`;
}
