/** Brings the apps of an ecosystem file in line with it. */
import { rollingIn } from '../../features/reload.js';
import { appOutcome, joinOutcomes } from '../apps/outcome.js';
import { makePlan, stepFor } from '../apps/plan.js';
import { progressTo, runInTurn } from '../control/run-command.js';
import { runSteps } from '../control/run-steps.js';
import { readSpecs } from '../../config/check-spec.js';
import { addApp } from './add.js';
import { removeApp } from './stop.js';
import { allowedSlots } from '../apps/slots.js';
import { reloadApp, restartApp } from './replace.js';
import { configureApp, scaleApp } from './scale.js';
import { confirmApp, startWithSpec } from './start.js';

/**
 * @import { ApplyParams, DaemonMethods, Rolling } from '../../protocol/methods.js'
 * @import { AppOutcome, CommandNotifications, PlanEntry } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { PlanStep, ChangeAction } from '../apps/plan.js'
 * @import { Action, ReportProgress, SendProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Spec } from '../../config/spec.js'
 */

/**
 * @param {Daemon} daemon
 * @param {ApplyParams} params
 * @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx
 * @returns {Promise<DaemonMethods['apply']['result']>}
 */
export async function applySpecs(daemon, params, ctx) {
  const specs = readSpecs(params);
  const { wait = true, dryRun, action, updateEnv } = params;
  const { steps, unlisted } = makePlan({ ...params, specs }, daemon.table.all());
  const plan = steps.map(shownStep);
  if (dryRun) return { plan, unlisted, apps: [] };
  ctx.notify('plan', { plan, unlisted });
  for (const { app, action } of steps) daemon.table.get(app)?.queue.check(action);
  const report = wait ? progressTo(ctx) : undefined;
  const order = { action, updateEnv, ...rollingIn(params) };
  const apps = steps.map((step) => ({
    name: step.app,
    action: step.action,
    dependsOn: dependenciesOf(step),
    run: () => takeStep(daemon, step, order, report),
  }));
  const outcomes = await runSteps(daemon, apps, { dependencies: 'first', report, wait });
  return { plan, unlisted, apps: outcomes };
}

/** @param {PlanStep} step @returns {PlanEntry} */
function shownStep(step) {
  const { app, action, changes, pending } = step;
  const waitsFor = dependenciesOf(step);
  const isWaiting = Object.keys(waitsFor).length > 0;
  return { app, action, changes, pending, waitsFor: isWaiting ? waitsFor : undefined };
}

/** What is not touched cannot fail with another app. @param {PlanStep} step */
function dependenciesOf({ action, spec }) {
  return action === 'none' || action === 'delete' ? {} : spec.dependsOn;
}

/**
 * @param {Daemon} daemon @param {PlanStep} step @param {Order} order @param {SendProgress} [report]
 * @returns {Promise<AppOutcome>}
 */
async function takeStep(daemon, { app: name, action, spec }, order, report) {
  const app = daemon.table.get(name);
  if (!app && action === 'delete') return appOutcome(name, action, { ok: true }, {});
  if (!app) return addApp(daemon, spec, report);
  const { action: ordered, updateEnv, ...rolling } = order;
  const run = (/** @type {ReportProgress} */ progress) => {
    if (action === 'delete') return removeApp(daemon, app, { slots: null }, progress);
    // Another command, or the recovery after a reboot, may have started or changed the app before this one has its
    // turn. It then only needs what differs.
    const change = action === 'start' ? 'apply' : ordered;
    const step = stepFor(app, spec, { action: change, updateEnv });
    return CHANGES[step.action](daemon, app, { ...rolling, spec: step.spec }, progress);
  };
  return runInTurn(daemon, app, { action, run, report });
}

/**
 * @typedef {Pick<ApplyParams, 'action' | 'updateEnv'> & Rolling} Order updateEnv: the app also gets the spec's
 *   shellEnv; otherwise it keeps its own
 * @typedef {Rolling & {spec: Spec}} NewSpec
 */

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

/** Workers that it leaves as they are may be crashing. @param {Action<NewSpec>} action @returns {Action<NewSpec>} */
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
