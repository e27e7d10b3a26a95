/** What comes with settings: `apply` brings apps in line with an ecosystem file, `start` starts programs, as new apps or as those that they were. */
import { NodeclusterError } from '../../errors/error.js';
import { rollingIn } from '../../features/reload.js';
import { appOutcome, joinOutcomes } from '../apps/outcome.js';
import { makePlan, stepFor } from '../apps/plan.js';
import { progressTo, runInTurn, runSteps, withUnusedShell } from '../control/run-command.js';
import { supervise } from './recovery.js';
import { readSpecs } from '../../config/check-spec.js';
import { removeApp } from './stop.js';
import { allowedSlots } from '../apps/slots.js';
import { reloadApp, restartApp } from './replace.js';
import { scaleApp } from './scale.js';
import { confirmApp, startApp, startSlots } from './start.js';

/**
 * @import { ApplyParams, Rolling } from '../../protocol/methods.js'
 * @import { CommandNotifications, PlanEntry } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { PlanStep, ChangeAction } from '../apps/plan.js'
 * @import { Action, ReportProgress, SendProgress } from '../control/run-command.js'
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** @typedef {(app: App, step: PlanStep) => void} Check throws what speaks against it */

/**
 * @param {Daemon} daemon @param {ApplyParams} params @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx
 * @param {Check} [check] before anything is done, and when an app has its turn
 */
export async function applySpecs(daemon, params, ctx, check = () => {}) {
  const specs = readSpecs(params);
  const names = specs.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new NodeclusterError('E_NAME_TWICE', { name: twin });
  const { dryRun, action, updateEnv, dropEnv, shellEnv } = params;
  const report = progressTo(ctx);
  const { steps, unlisted } = makePlan({ ...params, specs }, daemon.table.all());
  for (const step of steps) {
    const app = daemon.table.get(step.app);
    if (app) check(app, step);
  }
  const plan = steps.map(shownStep);
  if (dryRun) return { plan, unlisted, apps: [] };
  ctx.notify('plan', { plan, unlisted });
  const onChange = (/** @type {PlanStep} */ step) =>
    ctx.notify('plan', { plan: [shownStep(step)], unlisted: [] });
  const order = { action, updateEnv, dropEnv, shellEnv, check, onChange, ...rollingIn(params) };
  const apps = await runSteps(daemon, stepsOf(daemon, steps, order, report), report);
  return { plan, unlisted, apps };
}

/** @param {PlanStep} step @returns {PlanEntry} */
function shownStep(step) {
  const { app, action, changes, pending } = step;
  return { app, action, changes, pending, waitsFor: dependenciesOf(step) };
}

/** What is not touched cannot fail with another app. @param {Pick<PlanStep, 'action' | 'spec'>} step */
function dependenciesOf({ action, spec }) {
  return action === 'none' || action === 'delete' ? {} : spec.dependsOn;
}

/** @param {Daemon} daemon @param {App} app @param {PlanStep} step @param {Order} order @param {SendProgress} report */
async function takeStep(daemon, app, { action, spec }, order, report) {
  const { action: ordered, updateEnv, dropEnv, shellEnv, check, onChange, ...rolling } = order;
  const run = (/** @type {ReportProgress} */ progress) => {
    if (action === 'delete') return removeApp(daemon, app, { slots: null }, progress);
    // Another command, or the recovery after a reboot, may have started or changed the app before this one has its
    // turn. It then only needs what differs, and nothing of a start.
    const isStart = ordered === 'start';
    const change = action === 'start' && !isStart ? 'apply' : ordered;
    const known = daemon.table.all();
    const step = stepFor(app, spec, { action: change, updateEnv, dropEnv, isStart }, known);
    check(app, step);
    if (step.pending && action !== step.action) onChange(step);
    if (step.action === 'none' && change === 'apply') daemon.table.noteUndone(app);
    return CHANGES[step.action](daemon, app, { ...rolling, spec: step.spec }, progress);
  };
  const outcome = await runInTurn(daemon, app, { action, run, report });
  const keeps = action === 'none' && ordered === 'start';
  return keeps ? withUnusedShell(app, outcome, shellEnv) : outcome;
}

/**
 * @typedef {Pick<ApplyParams, 'action' | 'updateEnv' | 'dropEnv' | 'shellEnv'> & Rolling &
 *   {check: Check, onChange: (step: PlanStep) => void}} Order updateEnv: the app also gets the spec's shellEnv; otherwise it
 *   keeps its own; onChange: of the plan, when the app has its turn
 * @typedef {Rolling & {spec: Spec}} NewSpec
 */

/** @type {Record<ChangeAction, Action<NewSpec>>} */
const CHANGES = {
  none: confirmApp,
  // Workers that the user stopped stay so.
  start: (daemon, app, { spec }, report) =>
    startApp(daemon, app, { spec, slots: app.isDown ? null : app.desiredSlots }, report),
  configure: thenConfirm(async (daemon, app, { spec }, report) => {
    await scaleApp(daemon, app, { slots: app.slots, spec: app.withOwnCount(spec) }, report);
    return { ok: true };
  }),
  scale: thenConfirm(scaleApp),
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
 * Removes and adds workers last: those that go are not replaced first, those that come run the new program, and a
 * change that fails leaves the number of workers as it was.
 * @param {typeof reloadApp | typeof restartApp} replace @returns {Action<NewSpec>}
 */
function resizeAnd(replace) {
  return async (daemon, app, { spec, ...rolling }, report) => {
    const slots = allowedSlots(spec, app);
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

/** @type {Handler<'start'>} */
export async function startPrograms(daemon, params, ctx) {
  const { apps } = await applySpecs(daemon, { ...params, action: 'start' }, ctx, refuseConflict);
  return { apps };
}

/**
 * Adds new apps before the first one starts, so that those that wait for it are shown and obey commands.
 * @param {Daemon} daemon @param {PlanStep[]} plan @param {Order} order @param {SendProgress} report
 */
function stepsOf(daemon, plan, order, report) {
  // The next daemon starts every app in the table, so a daemon that is shutting down adds none.
  if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
  const { table } = daemon;
  const missing = plan.filter(({ app, action }) => action !== 'delete' && !table.get(app));
  const added = missing.map(({ spec }) => table.add(spec));
  for (const app of added) supervise(daemon, app);
  // At once, so that none of hundreds waits for that when it has its turn.
  const saved = added.length > 0 ? table.save() : Promise.resolve();
  saved.catch(() => {});
  return plan.map((step) => ({
    name: step.app,
    action: step.action,
    dependsOn: dependenciesOf(step),
    async run() {
      const app = table.get(step.app);
      if (!app) return appOutcome(step.app, 'delete', { ok: true }, {});
      const isUntouched = added.includes(app) && app.isWaiting;
      return isUntouched
        ? startNew(daemon, app, saved, report)
        : takeStep(daemon, app, step, order, report);
    },
  }));
}

/** @param {Daemon} daemon @param {App} app that was added @param {Promise<void>} saved @param {SendProgress} report */
function startNew(daemon, app, saved, report) {
  const run = async (/** @type {ReportProgress} */ progress) => {
    // An app that cannot be saved is not started.
    await saved.catch((error) => {
      daemon.table.remove(app);
      throw error;
    });
    app.desireSlots(null);
    return startSlots(daemon, app, app.slots, progress);
  };
  return runInTurn(daemon, app, { action: 'start', run, report });
}

/** A program with the name of an app that it cannot become is refused. @type {Check} */
function refuseConflict({ spec: existing }, { action, pending, changes, spec }) {
  const reason = conflictOf(existing, spec, { action, pending });
  if (reason === null) return;
  const { name, configFile: file } = existing;
  const keys = changes.map(({ key }) => key);
  const programs = { program: programOf(spec), existing: programOf(existing) };
  throw new NodeclusterError('E_APP_EXISTS', { name, reason, file, keys, ...programs });
}

/** @param {Spec} existing @param {Spec} spec @param {Pick<PlanStep, 'action' | 'pending'>} step */
function conflictOf(existing, spec, { action, pending }) {
  if (programOf(existing) !== programOf(spec)) return 'program';
  if (pending) return 'running';
  // Its file has settings that nobody gave now, so only the file may start it.
  return action === 'none' || existing.configFile === spec.configFile ? null : 'file';
}

/** A command such as npm runs what its directory says. @param {Spec} spec */
function programOf({ script, cwd }) {
  return script.includes('/') ? script : `${script} in ${cwd}`;
}
