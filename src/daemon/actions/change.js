/** Brings one app to a given spec. */
import { joinOutcomes } from '../apps/outcome.js';
import { stepFor } from '../apps/plan.js';
import { allowedSlots } from '../apps/slots.js';
import { reloadApp, restartApp } from './replace.js';
import { configureApp, scaleApp } from './scale.js';
import { confirmApp, startWithSpec } from './start.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ApplyParams, Rolling } from '../../protocol/methods.js'
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
    scaleApp(daemon, app, { slots: allowedSlots(spec, app.slots), spec }, report),
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
 * Removes and adds workers last: those that go are not replaced first, those that come run the new
 * program, and a change that fails leaves the number of workers as it was.
 * @param {typeof reloadApp | typeof restartApp} replace
 * @returns {Action<NewSpec>}
 */
function resizeAnd(replace) {
  return async (daemon, app, { spec, ...rolling }, report) => {
    const slots = allowedSlots(spec, app.slots);
    if (slots.length === app.slots.length) {
      return replace(daemon, app, { slots: null, spec, ...rolling }, report);
    }
    const staying = app.desiredSlots.filter((slot) => slots.includes(slot));
    const replaced = staying.length > 0 ? staying : null;
    const replacement = { slots: replaced, resizeTo: slots, spec, ...rolling };
    const outcome = await replace(daemon, app, replacement, report);
    if (!outcome.ok) return outcome;
    return joinOutcomes(outcome, await scaleApp(daemon, app, { slots, spec }, report));
  };
}
