import { removeApp } from '../actions/remove.js';
import { reloadApp, restartApp } from '../actions/replace.js';
import { configureApp, scaleTo } from '../actions/scale.js';
import { startApp } from '../actions/start.js';
import { slotsFor } from '../apps/ids.js';
import { appOutcome, joinOutcomes, standingOf } from '../apps/outcome.js';
import { makePlan, stepFor } from '../apps/plan.js';
import { oneByOne, runAction } from '../control/run-action.js';
import { readSpecs } from '../control/validate.js';
import { progressTo } from './selected.js';
import { startNew } from './start.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Replacement } from '../actions/replace.js'
 * @import { App } from '../apps/app.js'
 * @import { AppOutcome, PartialOutcome } from '../../protocol/shapes.js'
 * @import { PlanStep } from '../apps/plan.js'
 * @import { ProgressListener, Report, World } from '../control/world.js'
 * @import { AsyncHandler } from './methods.js'
 */

/**
 * @typedef {PlanStep & Pick<Replacement, 'parallel' | 'onFailure'> &
 *   {updateEnv?: boolean}} Step
 */

/** @type {AsyncHandler<'apply'>} */
export async function apply(world, params, ctx) {
  const order = { ...params, specs: readSpecs(params) };
  const { steps, unlisted } = makePlan(order, world.table.all());
  const plan = steps.map(({ app, action, changes, pending }) => ({
    app,
    action,
    changes,
    pending,
  }));
  if (params.dryRun) return { plan, unlisted, apps: [] };
  ctx.notify('plan', { plan, unlisted });
  for (const { app, action } of steps) world.table.get(app)?.lane.check(action);
  const { wait = true, updateEnv, parallel, onFailure } = params;
  const report = wait ? progressTo(ctx) : undefined;
  const performed = steps.map((step) => ({
    name: step.app,
    action: step.action,
    run: () => perform(world, { ...step, updateEnv, parallel, onFailure }, report),
  }));
  return { plan, unlisted, apps: await oneByOne(world, performed, wait) };
}

/**
 * @param {World} world
 * @param {Step} step
 * @param {ProgressListener} [report]
 * @returns {Promise<AppOutcome>}
 */
async function perform(world, step, report) {
  const app = world.table.get(step.app);
  if (app === undefined) {
    if (step.action === 'delete') return appOutcome(step.app, 'delete', { ok: true }, {});
    return startNew(world, step.spec, report);
  }
  if (step.action === 'none') {
    return { ...appOutcome(step.app, 'none', { ok: true }, app.ids), after: standingOf(app) };
  }
  const command = (/** @type {Report} */ tell) => actions[step.action](world, app, step, tell);
  return runAction(world, app, { action: step.action, report, command });
}

/**
 * @type {Record<string, (world: World, app: App, step: Step, report: Report) =>
 *   Promise<PartialOutcome>>}
 */
const actions = {
  start: startStopped,
  configure: (world, app, { spec }) => configureApp(world, app, spec),
  scale: (world, app, { spec }, report) => scaleTo(world, app, slotsOf(app, spec), spec, report),
  reload: resizeAnd(reloadApp),
  restart: resizeAnd(restartApp),
  delete: (world, app, _step, report) => removeApp(world, app, null, report),
};

/**
 * While it waited for its turn the recovery after a reboot, or another command, may have started
 * the app as it was.
 * @param {World} world
 * @param {App} app
 * @param {Step} step
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
async function startStopped(world, app, { spec, updateEnv, ...how }, report) {
  const start = (/** @type {() => void} */ renew) => startApp(world, app, null, report, renew);
  if (app.isDown) {
    return start(() => {
      app.generation += 1;
      app.spec = spec;
      world.table.setSlots(app, slotsOf(app, spec));
    });
  }
  const step = stepFor(app, spec, { action: 'reload', updateEnv });
  if (step.action === 'none' || step.action === 'start') return start(() => {});
  const changed = await actions[step.action](world, app, { ...how, ...step }, report);
  return changed.ok ? joinOutcomes(changed, await start(() => {})) : changed;
}

/**
 * Fewer before, so that no worker is replaced in vain; more afterwards, of the new kind.
 * @param {typeof reloadApp | typeof restartApp} replace
 * @returns {(world: World, app: App, step: Step, report: Report) =>
 *   Promise<PartialOutcome>}
 */
function resizeAnd(replace) {
  return async (world, app, { spec, parallel, onFailure }, report) => {
    const slots = slotsOf(app, spec);
    const scale = (/** @type {Spec} */ of) => scaleTo(world, app, slots, of, report);
    const fewer = slots.length < app.slots.length ? await scale(app.spec) : { ok: true };
    if (!fewer.ok) return fewer;
    const replaced = await replace(world, app, { slots: null, spec, parallel, onFailure }, report);
    const both = joinOutcomes(fewer, replaced);
    if (!both.ok || slots.length === app.slots.length) return both;
    return joinOutcomes(both, await scale(spec));
  };
}

/**
 * @param {App} app
 * @param {Spec} spec
 */
function slotsOf(app, spec) {
  return slotsFor(app.slots, spec.instances);
}
