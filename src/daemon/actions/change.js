/** Brings one app to a given spec. */
import { slotsFor } from '../apps/ids.js';
import { joinOutcomes } from '../apps/outcome.js';
import { stepFor } from '../apps/plan.js';
import { reloadApp, restartApp } from './replace.js';
import { configureApp, scaleApp } from './scale.js';
import { confirmApp, startWithSpec } from './start.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ApplyParams, Rolling } from '../../protocol/methods.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { ChangeAction } from '../apps/plan.js'
 * @import { Action } from '../control/run-command.js'
 */

/** @typedef {Rolling & {spec: Spec}} NewSpec */

/**
 * What it takes is decided in the turn of the command, since the app may have changed while it
 * waited.
 * @type {Action<NewSpec & Pick<ApplyParams, 'action' | 'updateEnv'>>} updateEnv: the app also gets
 *   the spec's shellEnv; otherwise it keeps its own
 */
export function changeApp(daemon, app, { action, updateEnv, spec, ...rolling }, report) {
  const step = stepFor(app, spec, { action, updateEnv });
  return CHANGES[step.action](daemon, app, { ...rolling, spec: step.spec }, report);
}

/** @type {Record<ChangeAction, Action<NewSpec>>} */
const CHANGES = {
  none: confirmApp,
  start: startWithSpec,
  configure: thenConfirm(configureApp),
  scale: thenConfirm((daemon, app, { spec }, report) =>
    scaleApp(daemon, app, { slots: slotsFor(app.slots, spec.instances), spec }, report),
  ),
  reload: resizeAnd(reloadApp),
  restart: resizeAnd(restartApp),
};

/**
 * For an action that leaves workers as they are: they may have been crashing before.
 * @param {Action<NewSpec>} action
 * @returns {Action<NewSpec>}
 */
function thenConfirm(action) {
  return async (daemon, app, order, report) => {
    const outcome = await action(daemon, app, order, report);
    if (!outcome.ok || app.stopped) return outcome;
    const rest = await confirmApp(daemon, app, {}, report);
    // Only the workers that an action started count as its work, if it started any.
    return rest.ok && outcome.done ? outcome : joinOutcomes(outcome, rest);
  };
}

/**
 * Removes workers first, so that no worker is replaced and then removed, and adds workers last, so
 * that they run the new program.
 * @param {typeof reloadApp | typeof restartApp} replace
 * @returns {Action<NewSpec>}
 */
function resizeAnd(replace) {
  return async (daemon, app, { spec, parallel, onFailure }, report) => {
    const slots = slotsFor(app.slots, spec.instances);
    /** @type {PartialOutcome} */
    let outcome = { ok: true };
    if (slots.length < app.slots.length) {
      outcome = await scaleApp(daemon, app, { slots, spec: app.spec }, report);
      if (!outcome.ok) return outcome;
    }
    const replacement = { slots: null, spec, parallel, onFailure };
    outcome = joinOutcomes(outcome, await replace(daemon, app, replacement, report));
    if (!outcome.ok || slots.length === app.slots.length) return outcome;
    return joinOutcomes(outcome, await scaleApp(daemon, app, { slots, spec }, report));
  };
}
