import { removeApp } from '../actions/remove.js';
import { reloadApp, restartApp } from '../actions/replace.js';
import { configureApp, scaleTo } from '../actions/scale.js';
import { startApp } from '../actions/start.js';
import { slotsFor } from '../ids.js';
import { acceptedOutcome, appOutcome, joinOutcomes, standingOf } from '../outcome.js';
import { makePlan } from '../plan.js';
import { runAction, unwatched } from '../run-action.js';
import { readSpecs } from '../shape.js';
import { progressTo } from './selected.js';
import { startNew } from './start.js';

/**
 * @typedef {import('../world.js').World} World
 * @typedef {import('../world.js').Report} Report
 * @typedef {import('../app.js').App} App
 * @typedef {import('../app.js').Spec} Spec
 * @typedef {import('../plan.js').PlanStep} PlanStep
 * @typedef {PlanStep & Pick<import('../actions/replace.js').Replacement, 'parallel' | 'onFailure'>} Step
 * @typedef {import('../outcome.js').AppOutcome} AppOutcome
 */

/** @type {import('./methods.js').Handler} */
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
  const { wait = true, parallel, onFailure } = params;
  const run = (/** @type {PlanStep} */ step) =>
    perform(world, { ...step, parallel, onFailure }, wait ? progressTo(ctx) : undefined);
  if (!wait) {
    unwatched(world, steps, run);
    return { plan, unlisted, apps: steps.map((step) => acceptedOutcome(step.app, step.action)) };
  }
  const apps = [];
  for (const step of steps) apps.push(await run(step));
  return { plan, unlisted, apps };
}

/**
 * @param {World} world
 * @param {Step} step
 * @param {Report} [report]
 * @returns {Promise<AppOutcome>}
 */
async function perform(world, step, report) {
  const app = world.table.get(step.app);
  if (app === undefined) return startNew(world, step.spec, report);
  if (step.action === 'none') {
    return { ...appOutcome(step.app, 'none', { ok: true }, app.ids), after: standingOf(app) };
  }
  const command = (/** @type {Report} */ tell) => actions[step.action](world, app, step, tell);
  return runAction(world, app, { action: step.action, report, command });
}

/**
 * @type {Record<string, (world: World, app: App, step: Step, report: Report) =>
 *   Promise<import('../outcome.js').Outcome>>}
 */
const actions = {
  start: (world, app, { spec }, report) => startStopped(world, app, spec, report),
  configure: (world, app, { spec }) => configureApp(world, app, spec),
  scale: (world, app, { spec }, report) => scaleTo(world, app, slotsOf(app, spec), spec, report),
  reload: resizeAnd(reloadApp),
  restart: resizeAnd(restartApp),
  delete: (world, app, _step, report) => removeApp(world, app, null, report),
};

/**
 * @param {World} world
 * @param {App} app
 * @param {Spec} spec
 * @param {Report} report
 */
function startStopped(world, app, spec, report) {
  return startApp(world, app, null, report, () => {
    if (!app.isDown) return;
    app.generation += 1;
    app.spec = spec;
    world.table.setSlots(app, slotsOf(app, spec));
  });
}

/**
 * Fewer before, so that no worker is replaced in vain; more afterwards, of the new kind.
 * @param {typeof reloadApp | typeof restartApp} replace
 * @returns {(world: World, app: App, step: Step, report: Report) =>
 *   Promise<import('../outcome.js').Outcome>}
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
