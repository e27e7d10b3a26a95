/** Brings the apps of an ecosystem file in line with it. */
import { rollingIn } from '../../features/reload.js';
import { appOutcome } from '../apps/outcome.js';
import { makePlan } from '../apps/plan.js';
import { progressTo, runInTurn } from '../control/run-command.js';
import { runSteps } from '../control/run-steps.js';
import { readSpecs } from '../control/read-specs.js';
import { addApp } from './add.js';
import { changeApp } from './change.js';
import { removeApp } from './remove.js';

/**
 * @import { ApplyParams, DaemonMethods, Rolling } from '../../protocol/methods.js'
 * @import { AppOutcome, CommandNotifications, PlanEntry } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { PlanStep } from '../apps/plan.js'
 * @import { SendProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @typedef {Pick<ApplyParams, 'action' | 'updateEnv'> & Rolling} Order */

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
 * @param {Daemon} daemon
 * @param {PlanStep} step
 * @param {Order} order
 * @param {SendProgress} [report]
 * @returns {Promise<AppOutcome>}
 */
async function takeStep(daemon, { app: name, action, spec }, order, report) {
  const app = daemon.table.get(name);
  if (action === 'delete') {
    if (!app) return appOutcome(name, action, { ok: true }, {});
    return runInTurn(daemon, app, {
      action,
      run: (progress) => removeApp(daemon, app, { slots: null }, progress),
      report,
    });
  }
  if (!app) return addApp(daemon, spec, report);
  // Another command, or the recovery after a reboot, may start the app before this one has its
  // turn. It then only needs what differs.
  const change = action === 'start' ? { ...order, action: /** @type {const} */ ('apply') } : order;
  return runInTurn(daemon, app, {
    action,
    run: (progress) => changeApp(daemon, app, { ...change, spec }, progress),
    report,
  });
}
