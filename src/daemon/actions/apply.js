/** What comes with settings: `apply` brings the apps of an ecosystem file in line with it, `start` starts programs, as new apps or as those that they were. */
import { compareSpecs } from '../../config/compare-specs.js';
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
import { rollingIn } from '../../features/reload.js';
import { appOutcome, joinOutcomes } from '../apps/outcome.js';
import { makePlan, shellChanges, stepFor } from '../apps/plan.js';
import { WITHOUT_PROCESS } from '../apps/record.js';
import { progressTo, runInTurn, runSteps } from '../control/run-command.js';
import { RECOVERY } from '../apps/command-queue.js';
import { supervise } from './recovery.js';
import { readSpecs } from '../../config/check-spec.js';
import { removeApp, shutDownPrimary } from './stop.js';
import { allowedSlots } from '../apps/slots.js';
import { reloadApp, restartApp } from './replace.js';
import { scaleApp } from './scale.js';
import { confirmApp, startSlots, startWithSpec } from './start.js';

/**
 * @import { ApplyParams, Rolling } from '../../protocol/methods.js'
 * @import { AppOutcome, CommandNotifications, PlanEntry } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { PlanStep, ChangeAction } from '../apps/plan.js'
 * @import { Action, ReportProgress, SendProgress } from '../control/run-command.js'
 * @import { App } from '../apps/app.js'
 * @import { AppTable } from '../apps/table.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Spec } from '../../config/spec.js'
 */

/**
 * @param {Daemon} daemon @param {ApplyParams} params @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx
 */
export async function applySpecs(daemon, params, ctx) {
  const specs = readSpecs(params);
  const { wait = true, dryRun, action, updateEnv } = params;
  const report = wait ? progressTo(ctx) : undefined;
  const { table } = daemon;
  // Otherwise without a pause: `run` looks for its apps at once.
  if (action === 'start' && recoveringOf(table, specs).length > 0) {
    await untilRecovered(table, specs, report);
  }
  const { steps, unlisted } = makePlan({ ...params, specs }, daemon.table.all());
  const plan = steps.map(shownStep);
  if (dryRun) return { plan, unlisted, apps: [] };
  ctx.notify('plan', { plan, unlisted });
  for (const { app, action } of steps) daemon.table.get(app)?.queue.check(action);
  const onChange = (/** @type {PlanStep} */ step) =>
    wait && ctx.notify('plan', { plan: [shownStep(step)], unlisted: [] });
  const order = { action, updateEnv, onChange, ...rollingIn(params) };
  const apps = stepsOf(daemon, steps, report, (app, step) =>
    takeStep(daemon, app, step, order, report),
  );
  const outcomes = await runSteps(daemon, apps, { dependencies: 'first', report, wait });
  return { plan, unlisted, apps: outcomes };
}

/** @param {AppTable} table @param {Spec[]} specs */
function recoveringOf(table, specs) {
  return specs.filter(({ name }) => table.get(name)?.isRecovering);
}

/**
 * A start does the same to what ran before a reboot as to what has never stopped.
 * @param {AppTable} table @param {Spec[]} specs @param {SendProgress} [report]
 */
async function untilRecovered(table, specs, report) {
  for (const { name: app } of recoveringOf(table, specs)) {
    report?.({ app, kind: 'waiting', reason: { kind: 'turn', of: RECOVERY } });
  }
  const isDone = () => recoveringOf(table, specs).length === 0;
  await poll(isDone);
}

/** @param {PlanStep} step @returns {PlanEntry} */
function shownStep(step) {
  const { app, action, changes, pending, shell = [] } = step;
  const waitsFor = dependenciesOf(step);
  const isWaiting = Object.keys(waitsFor).length > 0;
  return {
    app,
    action,
    changes,
    pending,
    shell: shell.length > 0 ? shell : undefined,
    waitsFor: isWaiting ? waitsFor : undefined,
  };
}

/** What is not touched cannot fail with another app. @param {Pick<PlanStep, 'action' | 'spec'>} step */
function dependenciesOf({ action, spec }) {
  return action === 'none' || action === 'delete' ? {} : spec.dependsOn;
}

/** @param {Daemon} daemon @param {App} app @param {PlanStep} step @param {Order} order @param {SendProgress} [report] */
function takeStep(daemon, app, { action, spec }, order, report) {
  const { action: ordered, updateEnv, onChange, ...rolling } = order;
  const run = (/** @type {ReportProgress} */ progress) => {
    if (action === 'delete') return removeApp(daemon, app, { slots: null }, progress);
    // Another command, or the recovery after a reboot, may have started or changed the app before this one has its
    // turn. It then only needs what differs, and nothing of a start.
    const isStart = ordered === 'start';
    const change = action === 'start' && !isStart ? 'apply' : ordered;
    const known = daemon.table.all();
    const step = stepFor(app, spec, { action: change, updateEnv, isStart }, known);
    if (step.pending && action !== step.action) onChange(step);
    return CHANGES[step.action](daemon, app, { ...rolling, spec: step.spec }, progress);
  };
  return runInTurn(daemon, app, { action, run, report });
}

/**
 * @typedef {Pick<ApplyParams, 'action' | 'updateEnv'> & Rolling & {onChange: (step: PlanStep) => void}} Order updateEnv:
 *   the app also gets the spec's shellEnv; otherwise it keeps its own; onChange: of the plan, when the app has its turn
 * @typedef {Rolling & {spec: Spec}} NewSpec
 */

/** @type {Record<ChangeAction, Action<NewSpec>>} */
const CHANGES = {
  none: confirmApp,
  // Workers that the user stopped stay so.
  start: (daemon, app, { spec }, report) =>
    startWithSpec(daemon, app, { spec, slots: app.isDown ? null : app.desiredSlots }, report),
  configure: thenConfirm(async (daemon, app, { spec }, report) => {
    await scaleApp(daemon, app, { slots: app.slots, spec: app.withOwnCount(spec) }, report);
    return { ok: true };
  }),
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
 * Removes and adds workers last: those that go are not replaced first, those that come run the new program, and a
 * change that fails leaves the number of workers as it was.
 * @param {typeof reloadApp | typeof restartApp} replace @returns {Action<NewSpec>}
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

/** @type {Handler<'start'>} */
export async function startPrograms(daemon, params, ctx) {
  const specs = readSpecs(params);
  const report = progressTo(ctx);
  await untilRecovered(daemon.table, specs, report);
  const names = specs.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new NodeclusterError('E_NAME_TWICE', { name: twin });
  refuseConflicts(daemon.table, specs);
  const plan = differencesOf(daemon.table, specs);
  if (plan.length > 0) ctx.notify('plan', { plan, unlisted: [] });
  const steps = stepsOf(
    daemon,
    specs.map((spec) => ({ app: spec.name, action: /** @type {const} */ ('start'), spec })),
    report,
    (app, { spec }) => startAgain(daemon, app, spec, report),
  );
  return { apps: await runSteps(daemon, steps, { dependencies: 'first', report }) };
}

/**
 * Adds new apps before the first one starts, so that those that wait for it are shown and obey commands.
 * @template {Pick<PlanStep, 'app' | 'action' | 'spec'>} T
 * @param {Daemon} daemon
 * @param {T[]} plan
 * @param {SendProgress | undefined} report
 * @param {(app: App, step: T) => Promise<AppOutcome>} change what is done to one that exists
 */
function stepsOf(daemon, plan, report, change) {
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
      return isUntouched ? startNew(daemon, app, saved, report) : change(app, step);
    },
  }));
}

/** @param {Daemon} daemon @param {App} app that was added @param {Promise<void>} saved @param {SendProgress} [report] */
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

/** A spec with the name of an app that it cannot become is refused. @param {AppTable} table @param {Spec[]} specs */
function refuseConflicts(table, specs) {
  const conflicts = specs.flatMap((spec) => {
    const app = table.get(spec.name);
    const reason = app && conflictWith(app, spec);
    return reason ? [conflictOf(app.spec, spec, reason)] : [];
  });
  if (conflicts.length > 0) throw new NodeclusterError('E_APP_EXISTS', { conflicts });
}

/** @param {App} app @param {Spec} spec */
function conflictWith(app, spec) {
  if (programOf(app.spec) !== programOf(spec)) return 'program';
  if (isRunning(app) || STARTING.includes(app.queue.current)) {
    return isAsAsked(app, spec) ? null : 'running';
  }
  // Its file has settings that nobody gave now, so only the file may start it.
  return app.spec.configFile === spec.configFile ? null : 'file';
}

/** @param {Spec} existing @param {Spec} spec @param {string} reason */
function conflictOf(existing, spec, reason) {
  const { name, configFile: file } = existing;
  const keys = compareSpecs(existing, spec).changes.map(({ key }) => key);
  const programs = { program: programOf(spec), existing: programOf(existing) };
  return { name, reason, file, keys, ...programs };
}

/** Commands after which the app runs, unless they fail. @type {(string | null)[]} */
const STARTING = ['start', 'resume', 'restart', RECOVERY];

/** Whether what was asked for is so, once it is up. @param {App} app @param {Spec} spec */
function isAsAsked(app, spec) {
  return compareSpecs(app.spec, spec).changes.length === 0;
}

/** A command such as npm runs what its directory says. @param {Spec} spec */
function programOf({ script, cwd }) {
  return script.includes('/') ? script : `${script} in ${cwd}`;
}

/** False: no worker runs, or each has crashed and is being started again. @param {Pick<App, 'link'>} app */
function isRunning({ link }) {
  if (link.state === 'none') return false;
  if (link.state === 'unknown' || link.snapshot === null) return true;
  return link.snapshot.slots.some(
    ({ status, lastExit }) =>
      !WITHOUT_PROCESS.includes(status) && !(status === 'starting' && lastExit),
  );
}

/** What apps that exist already will have. @param {AppTable} table @param {Spec[]} specs @returns {PlanEntry[]} */
function differencesOf(table, specs) {
  return specs.flatMap((spec) => {
    const app = table.get(spec.name);
    if (!app) return [];
    const { changes } = compareSpecs(app.spec, spec);
    const shell = shellChanges(app.spec, spec);
    const action = isRunning(app) ? 'none' : 'start';
    return changes.length + shell.length > 0 ? [{ app: spec.name, action, changes, shell }] : [];
  });
}

/** @param {Daemon} daemon @param {App} app of the same program @param {Spec} spec @param {SendProgress} report */
function startAgain(daemon, app, spec, report) {
  return runInTurn(daemon, app, {
    action: 'start',
    report,
    run: async (progress) => {
      // Another command, or the recovery after a reboot, may have started it before this one has its turn.
      if (isRunning(app)) {
        if (isAsAsked(app, spec)) return confirmApp(daemon, app, {}, progress);
        const conflicts = [conflictOf(app.spec, spec, 'running')];
        throw new NodeclusterError('E_APP_EXISTS', { conflicts });
      }
      if (!app.isDown) await shutDownPrimary(app, progress);
      return startWithSpec(daemon, app, { spec }, progress);
    },
  });
}
