/**
 * Runs a command on each app that it targets: side by side in the order of their dependencies, in turn among the commands
 * on an app, with progress, events and an outcome.
 */
import { NodeclusterError } from '../../errors/error.js';
import { reasonText } from '../../show/reason.js';
import { currentAuthor, currentSender } from '../apps/changes.js';
import { limitPerCore } from '../apps/command-queue.js';
import {
  completionOf,
  desiredPids,
  runInOrder,
  untilExited,
  untilLoaded,
  untilStarted,
} from '../apps/dependencies.js';
import { appOutcome, failedOutcome, summarize, withLaterExits } from '../apps/outcome.js';
import { shellChanges } from '../apps/plan.js';
import { resolveTargets } from './targets.js';

/**
 * @import { Condition } from '../../config/spec.js'
 * @import { AppOutcome, CommandNotifications, PartialOutcome, Progress, ProgressEvent, Reason } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { App } from '../apps/app.js'
 * @import { AppTable } from '../apps/table.js'
 * @import { Daemon } from '../daemon.js'
 * @import { TargetCommand } from './methods.js'
 */

/**
 * @typedef {(progress: Progress) => void} ReportProgress takes what the primary of an app reports
 * @typedef {(event: ProgressEvent) => void} SendProgress sends it to the client of a command
 */

/**
 * What a command does to one app.
 * @template [Order={slots: number[] | null}] slots null: the whole app
 * @typedef {(daemon: Daemon, app: App, order: Order, report: ReportProgress) =>
 *   Promise<PartialOutcome>} Action
 */

/**
 * @param {Daemon} daemon @param {TargetCommand & {action: string}} command @param {any} params of the request
 * @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx
 * @throws {NodeclusterError} if the command is refused before anything is done
 */
export async function runCommand(daemon, command, params, ctx) {
  const { targets: find = resolveTargets, check, run, dependencies } = command;
  const { action, isQueued = true } = command;
  const { selectors = [params.selector], shellEnv, ...order } = params;
  const targets = find(daemon, selectors);
  check?.(targets, order, daemon);
  const report = progressTo(ctx);
  const steps = targets.map(({ app, currentSlots }) => {
    const runOnApp = async (/** @type {ReportProgress} */ progress) =>
      run(daemon, app, { ...order, slots: currentSlots() }, progress);
    const runStep = async () => {
      if (isQueued) {
        const outcome = await runInTurn(daemon, app, { action, run: runOnApp, report });
        return withUnusedShell(app, outcome, shellEnv);
      }
      const outcome = await runOnApp(() => {}).catch(failedOutcome);
      return appOutcome(app.name, action, outcome, app.ids);
    };
    return { name: app.name, action, dependsOn: app.spec.dependsOn, run: runStep };
  });
  if (dependencies === 'first') return { apps: await runSteps(daemon, steps, report) };
  return { apps: await runInOrder(steps, 'last', (step) => takeStep(daemon, step)) };
}

/** Who changed a variable has changed few; many belong to another kind of shell, such as that of a cron job. */
const FEW = 3;

/** @param {App} app @param {AppOutcome} outcome @param {Record<string, any>} [given] by the command @returns {AppOutcome} */
export function withUnusedShell({ spec }, outcome, given = {}) {
  // Nobody misses in what works what another shell had.
  const shell = shellChanges(spec, { ...spec, shellEnv: given }).filter(
    (name) => !outcome.ok || Object.hasOwn(given, name),
  );
  return shell.length > 0 && shell.length <= FEW ? { ...outcome, shell } : outcome;
}

/**
 * Waits until the commands before it are done with the app.
 * @param {Daemon} daemon @param {App} app @param {object} command
 * @param {string} command.action its name for the user
 * @param {Reason} [command.reason] why it runs, if nobody asked for it
 * @param {boolean} [command.isAutomatic] a command before it may make it needless, and then nobody is told of it
 * @param {(report: ReportProgress) => Promise<PartialOutcome>} command.run @param {SendProgress} [command.report]
 * @returns {Promise<AppOutcome>} also of a command that threw
 */
export async function runInTurn(daemon, app, command) {
  const { action, reason, isAutomatic, run, report = () => {} } = command;
  const publish = publisherOf(daemon, app, action);
  const summary = () => Object.assign(summarize(app), ...daemon.features.ask('record', app, []));
  const { current } = app.queue;
  if (current) report({ app: app.name, kind: 'waiting', reason: { kind: 'turn', of: current } });
  if (!isAutomatic) daemon.features.ask('asked', { command: action, waits: app });
  const { name } = app;
  return app.queue.run(action, async () => {
    const { ids } = app;
    const isNeedless = app.stopped || app.deleted || daemon.isEnding;
    if (isAutomatic && isNeedless) return appOutcome(app.name, action, { ok: true }, ids);
    const before = summary();
    const [changeBefore] = app.changes;
    publish('begun', { reason, ...currentSender() });
    const guarded = async () => {
      if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
      if (!isAutomatic || app.deleted) refuseOther(app, name);
      return run(progressOf(daemon, app, action, report));
    };
    const outcome = await guarded().catch(failedOutcome);
    daemon.features.ask('sync', app);
    const [change] = app.changes;
    const isNew = change?.at !== changeBefore?.at;
    const level = outcome.ok ? 'info' : 'error';
    const changed = isNew ? change.differences.map(({ key }) => key) : [];
    const entry = { app: app.name, action, by: currentAuthor(), changed, ...outcome };
    daemon.log[level]('action.ended', entry);
    const result = appOutcome(app.name, action, outcome, { ...ids, ...app.ids });
    const { ok, done, failed, kept, rolledBack, durationMs } = result;
    const details = { ok, done, failed, kept, rolledBack, durationMs, ...(isNew && { change }) };
    publish('ended', { ...currentSender(), ...details });
    const summarized = { ...result, before, after: summary() };
    daemon.onOutcome(summarized);
    return summarized;
  });
}

/** @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx @returns {SendProgress} */
export function progressTo(ctx) {
  return (event) => ctx.notify('progress', event);
}

/** @param {Daemon} daemon @param {App} app @param {string} action */
function publisherOf({ events }, app, action) {
  if (action === 'none') return () => {};
  return (/** @type {'begun' | 'ended'} */ stage, /** @type {object} */ details) =>
    events.publish(app, { type: `${action}.${stage}`, ...details });
}

/** With worker ids. @param {Daemon} daemon @param {App} app @param {string} action @param {SendProgress} report @returns {ReportProgress} */
function progressOf({ log }, app, action, report) {
  const { ids } = app;
  return (progress) => {
    const { slot = -1, reason, after } = progress;
    const words = { reason: reason && reasonText(reason), after: after && reasonText(after) };
    log.info('action.step', { app: app.name, action, ...progress, ...words });
    const of = slot < 0 ? undefined : app.slots.length;
    report({ ...progress, app: app.name, id: app.ids[slot] ?? ids[slot] ?? null, of });
  };
}

/**
 * @typedef {{name: string, action: string, dependsOn: App['dependsOn'], run: () => Promise<AppOutcome>}} Step what a command
 *   does to one app
 */

/** Actions that load its program. */
const STARTS = ['start', 'restart'];

/**
 * What depends on an app waits until that is what it must be, and is refused if that fails. A step that is refused does not
 * stop the others.
 * @param {Daemon} daemon @param {Step[]} steps @param {SendProgress} report
 * @returns {Promise<AppOutcome[]>} in the order of the steps
 */
export async function runSteps(daemon, steps, report) {
  const limited = limitPerCore();
  const apps = waitingApps(daemon.table, steps);
  const work = async (/** @type {Step} */ step, /** @type {AppOutcome[]} */ earlier) => {
    const app = apps.get(step.name);
    const failed = earlier.find(({ ok }) => !ok);
    if (failed) return refuseAfter(daemon, step, failed, app);
    return limited((leave) => {
      const find = () => daemon.table.get(step.name);
      const taken = takeStep(daemon, step, app);
      if (STARTS.includes(step.action)) void untilLoaded(find, taken).then(leave, leave);
      return taken;
    });
  };
  daemon.changes += 1;
  const outcomes = await runInOrder(
    steps,
    'first',
    work,
    async (other, condition, done, { name: app }) => {
      const reason = /** @type {const} */ ({ kind: 'dependency', name: other.name });
      const onWait = () => report({ app, kind: 'waiting', reason });
      const outcome = await outcomeFor(daemon.table, other, condition, done, onWait);
      const { waitsFor } = apps.get(app) ?? {};
      if (outcome.ok) waitsFor?.splice(waitsFor.indexOf(other.name), 1);
      return outcome;
    },
  ).finally(() => (daemon.changes -= 1));
  return outcomes.map((outcome) => {
    const app = daemon.table.get(outcome.name);
    return app ? withLaterExits(outcome, app) : outcome;
  });
}

/**
 * Notes what each waits for: it is shown, and a command that stops the app meanwhile ends it.
 * @param {AppTable} table @param {Step[]} steps
 */
function waitingApps(table, steps) {
  const names = new Set(steps.map(({ name }) => name));
  const apps = table.all().filter(({ name }) => names.has(name));
  for (const app of apps) {
    const { dependsOn = {} } = steps.find(({ name }) => name === app.name) ?? {};
    app.waitsFor = Object.keys(dependsOn).filter((name) => names.has(name));
  }
  return new Map(apps.map((app) => [app.name, app]));
}

/** Another command may have renamed it, and this one could give back the old name. @param {App} app @param {string} name */
function refuseOther({ deleted, name: current }, name) {
  const renamed = current === name ? undefined : current;
  if (deleted || renamed) throw new NodeclusterError('E_APP_DELETED', { app: name, renamed });
}

/** @param {Daemon} daemon @param {Step} step @param {App} [app] */
async function takeStep(daemon, step, app) {
  try {
    const { stopped, waitsFor } = app ?? {};
    if (app) refuseOther(app, step.name);
    // By another command, since this one began.
    if (stopped && waitsFor === null)
      throw new NodeclusterError('E_APP_STOPPED', { app: step.name });
    return await step.run();
  } catch (thrown) {
    return refuse(daemon, step, thrown);
  } finally {
    if (app) app.waitsFor = null;
  }
}

/**
 * What was to be started still is, once that can be.
 * @param {Daemon} daemon @param {Step} step @param {AppOutcome} failed of what it depends on @param {App | undefined} app
 */
function refuseAfter(daemon, step, failed, app) {
  const { name: dependency } = failed;
  const why = failed.failed[0]?.reason;
  // The outcome of one that was refused for the same says more.
  const isRefused = why?.kind === 'error' && why.code === 'E_DEPENDENCY_FAILED';
  const reason = why && !isRefused ? reasonText(why) : undefined;
  const isWaiting = app?.isWaiting && !app.deleted;
  if (isWaiting) app.startLater();
  const isDeleted = !daemon.table.get(dependency);
  const data = { app: step.name, dependency, reason, isWaiting, isDeleted };
  return refuse(daemon, step, new NodeclusterError('E_DEPENDENCY_FAILED', data));
}

/** @param {Daemon} daemon @param {Pick<Step, 'name' | 'action'>} step @param {unknown} thrown */
export function refuse({ log }, { name, action }, thrown) {
  const { message: reason } = NodeclusterError.from(thrown);
  log.error('action.refused', { app: name, action, reason });
  return appOutcome(name, action, failedOutcome(thrown), {});
}

/**
 * What came of another step, when the condition is fulfilled, or has failed.
 * @param {AppTable} table @param {{name: string, action: string}} other the step that has begun
 * @param {Condition} condition @param {Promise<AppOutcome>} done its outcome
 * @param {() => void} onWait its step is done, and it still has to exit
 */
async function outcomeFor(table, { name, action }, condition, done, onWait) {
  const find = () => table.get(name);
  if (condition === 'started') {
    // In a reload, processes exist all along.
    const before = action === 'restart' ? desiredPids(find()) : new Set();
    return (await untilStarted(find, before, done)) ?? appOutcome(name, action, { ok: true }, {});
  }
  const outcome = await done;
  if (condition !== 'exited' || !outcome.ok) return outcome;
  if (completionOf(find()).verdict === 'wait') onWait();
  const completion = await untilExited(find);
  if (completion.verdict !== 'failed') return outcome;
  const { slot, reason } = completion;
  const id = slot === null ? null : (find()?.ids[slot] ?? null);
  return { ...outcome, ok: false, failed: [{ id, slot, reason, lastLines: [] }] };
}
