/** Asks the daemon to bring its apps in line with an ecosystem file. */
import { jsonText } from '../../show/mask.js';
import { renderPlan } from '../render/plan.js';
import { conclude } from './request.js';
import { givenSetting, loadChangedSpecs } from './load-changed-specs.js';
import { showResolutions, specParams } from './specs.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { ApplyParams } from '../../protocol/methods.js'
 * @import { Plan } from '../../protocol/shapes.js'
 * @import { Context } from '../context.js'
 * @import { Source } from '../render/plan.js'
 * @import { FileTarget } from '../../api/selectors.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @param {Omit<ApplyParams, 'specs' | 'file' | 'only' | 'updateEnv'>} order
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_USAGE, the errors of ecosystem files, and what the daemon replies
 */
export async function applyFile(context, target, order) {
  const { options, print, stdout } = context;
  const { specs, file } = await loadChangedSpecs(context, target);
  showResolutions(context, specs);
  const client = await context.daemons.start();
  const { updateEnv = false } = options;
  const only = options.only ? specs.map(({ name }) => name) : null;
  const params = { ...specParams(context, specs), ...order, updateEnv, only, file };
  const source = { specs, apply: applyCommand(context, target) };
  const result = await context.request(client, 'apply', params, (plan) =>
    noteChanges(context, plan, source),
  );
  if (!order.dryRun) return conclude(context, client, result);
  print(options.json ? jsonText(result) : renderPlan(result.plan, result.unlisted, source, stdout));
  return 0;
}

/**
 * Notes only what changes and which apps are no longer in the file; the outcomes show the rest.
 * @param {Context} context
 * @param {Plan} planned
 * @param {Source} source
 */
export function noteChanges({ note, stderr }, { plan, unlisted }, source) {
  const changed = plan.filter(({ changes = [] }) => changes.length > 0);
  if (changed.length + unlisted.length === 0) return;
  note(renderPlan(changed, unlisted, source, stderr));
}

/** @param {Context} context @param {FileTarget} target */
function applyCommand(context, target) {
  const { options } = context;
  const file = target.kind === 'file' ? ` ${target.file}` : '';
  const env = options.env === undefined ? '' : ` --env ${options.env}`;
  // apply takes no settings.
  if (givenSetting(context) !== null) return `nodecluster reload${file}${env} …`;
  return `nodecluster apply${file}${env}`;
}
