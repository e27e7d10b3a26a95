/** Applies an ecosystem file: the smallest action for each app, one app after the other. */
import { slotsFor } from '../apps/ids.js';
import { appOutcome, joinOutcomes, summarize } from '../apps/outcome.js';
import { makePlan, stepFor } from '../apps/plan.js';
import { progressTo, runInOrder, runInTurn } from '../control/run-command.js';
import { readSpecs } from '../control/validate.js';
import { addApp } from './add.js';
import { removeApp } from './remove.js';
import { reloadApp, restartApp } from './replace.js';
import { configureApp, scaleApp } from './scale.js';
import { startApp } from './start.js';

/**
 * @import { Rolling } from '../../protocol/methods.js'
 * @import { AppOutcome, PartialOutcome, PlanAction } from '../../protocol/shapes.js'
 * @import { PlanStep } from '../apps/plan.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Action, ReportProgress, SendProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @typedef {Pick<PlanStep, 'action' | 'spec'> & Rolling & {updateEnv?: boolean}} Change */

/** @type {Handler<'apply'>} */
export async function applySpecs(daemon, params, ctx) {
  const specs = readSpecs(params);
  const { wait = true, dryRun, updateEnv, parallel, onFailure } = params;
  const { steps, unlisted } = makePlan({ ...params, specs }, daemon.table.all());
  const plan = steps.map(({ spec: _spec, ...shown }) => shown);
  if (dryRun) return { plan, unlisted, apps: [] };
  ctx.notify('plan', { plan, unlisted });
  for (const { app, action } of steps) daemon.table.get(app)?.queue.check(action);
  const report = wait ? progressTo(ctx) : undefined;
  const apps = steps.map(({ app: name, action, spec }) => ({
    name,
    action,
    run: () => change(daemon, name, { action, spec, updateEnv, parallel, onFailure }, report),
  }));
  return { plan, unlisted, apps: await runInOrder(daemon, apps, wait) };
}

/**
 * @param {Daemon} daemon
 * @param {string} name
 * @param {Change} order
 * @param {SendProgress} [report]
 * @returns {Promise<AppOutcome>}
 */
async function change(daemon, name, order, report) {
  const { action, spec } = order;
  const app = daemon.table.get(name);
  if (app === undefined) {
    if (action === 'delete') return appOutcome(name, action, { ok: true }, {});
    return addApp(daemon, spec, report);
  }
  if (action === 'none') {
    return { ...appOutcome(name, action, { ok: true }, app.ids), after: summarize(app) };
  }
  const run = (/** @type {ReportProgress} */ progress) =>
    CHANGES[action](daemon, app, order, progress);
  return runInTurn(daemon, app, { action, run, report });
}

/** @type {Record<Exclude<PlanAction, 'none'>, Action<Change>>} */
const CHANGES = {
  start: startStopped,
  configure: configureApp,
  scale: (daemon, app, { spec }, report) =>
    scaleApp(daemon, app, { slots: slotsFor(app.slots, spec.instances), spec }, report),
  reload: resizeAnd(reloadApp),
  restart: resizeAnd(restartApp),
  delete: (daemon, app, _order, report) => removeApp(daemon, app, { slots: null }, report),
};

/**
 * The recovery after a reboot, or another command, may have started the app with its old spec
 * while this one waited for its turn.
 * @type {Action<Change>}
 */
async function startStopped(daemon, app, { spec, updateEnv, ...how }, report) {
  if (app.isDown) {
    const replaceSpec = () => {
      app.generation += 1;
      app.spec = spec;
      daemon.table.setSlots(app, slotsFor(app.slots, spec.instances));
    };
    return startApp(daemon, app, { slots: null, change: replaceSpec }, report);
  }
  const step = stepFor(app, spec, { action: 'reload', updateEnv });
  const start = () => startApp(daemon, app, { slots: null }, report);
  if (step.action === 'none' || step.action === 'start') return start();
  const changed = await CHANGES[step.action](daemon, app, { ...how, ...step }, report);
  return changed.ok ? joinOutcomes(changed, await start()) : changed;
}

/**
 * Removes workers first, so that no worker is replaced and then removed, and adds workers last, so
 * that they run the new program.
 * @param {typeof reloadApp | typeof restartApp} replace
 * @returns {Action<Change>}
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
