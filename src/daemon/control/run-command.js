/** Runs a command on each app that it targets, in turn, with progress, events and an outcome. */
import { NodeclusterError } from '../../errors/error.js';
import { authors } from '../apps/changes.js';
import { appOutcome, failedOutcome, summarize } from '../apps/outcome.js';
import { runSteps } from './run-steps.js';
import { resolveTargets } from './targets.js';

/**
 * @import { AppOutcome, CommandNotifications, PartialOutcome, Progress, ProgressEvent } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { App } from '../apps/app.js'
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
 *
 * @typedef {(stage: 'begun' | 'ended', details: {reason?: string, failed?: AppOutcome['failed'], [name: string]: any}) => void} Publish
 */

/**
 * @param {Daemon} daemon
 * @param {TargetCommand & {action: string}} command
 * @param {any} params of the request
 * @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx
 * @returns {Promise<{apps: AppOutcome[]}>}
 * @throws {NodeclusterError} if the command is refused before anything is done
 */
export async function runCommand(daemon, command, params, ctx) {
  const { targets: find = resolveTargets, check, run, dependencies } = command;
  const { action, isQueued = true } = command;
  const { selectors = [params.selector], wait = true, ...order } = params;
  const targets = find(daemon, selectors);
  check?.(targets, order, daemon);
  if (isQueued) for (const { app } of targets) app.queue.check(action);
  const report = wait ? progressTo(ctx) : undefined;
  const steps = targets.map(({ app, currentSlots }) => {
    const runOnApp = async (/** @type {ReportProgress} */ progress) =>
      run(daemon, app, { ...order, slots: currentSlots() }, progress);
    const runStep = async () => {
      if (isQueued) return runInTurn(daemon, app, { action, run: runOnApp, report });
      const outcome = await runOnApp(() => {}).catch(failedOutcome);
      return appOutcome(app.name, action, outcome, app.ids);
    };
    return { name: app.name, action, dependsOn: app.spec.dependsOn, run: runStep };
  });
  if (dependencies) return { apps: await runSteps(daemon, steps, { dependencies, report, wait }) };
  return { apps: await Promise.all(steps.map((step) => step.run())) };
}

/**
 * Waits until the commands before it are done with the app.
 * @param {Daemon} daemon
 * @param {App} app
 * @param {object} command
 * @param {string} command.action its name for the user
 * @param {string} [command.reason] why it runs, if nobody asked for it
 * @param {boolean} [command.isAutomatic] a command before it may make it needless, and then nobody is told of it
 * @param {(report: ReportProgress) => Promise<PartialOutcome>} command.run
 * @param {SendProgress} [command.report]
 * @param {Publish} [command.publish] instead of the events `<action>.begun` and `<action>.ended`
 * @returns {Promise<AppOutcome>} also of a command that threw
 * @throws {NodeclusterError} E_APP_BUSY
 */
export async function runInTurn(daemon, app, command) {
  const { action, reason, isAutomatic, run, report = () => {} } = command;
  const { publish = publisherOf(daemon, app, action) } = command;
  const summary = () => Object.assign(summarize(app), ...daemon.features.ask('summary', app));
  app.queue.check(action);
  const { current } = app.queue;
  if (current) report({ app: app.name, kind: 'waiting', reason: `until its ${current} is done` });
  if (reason === undefined) daemon.features.ask('waits', app, action);
  return app.queue.run(action, async () => {
    const { ids } = app;
    const isNeedless = app.stopped || app.deleted || daemon.isEnding;
    if (isAutomatic && isNeedless) return appOutcome(app.name, action, { ok: true }, ids);
    const before = summary();
    const [changeBefore] = app.changes;
    publish('begun', { reason });
    const guarded = async () => {
      if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
      if (app.deleted) throw new NodeclusterError('E_APP_DELETED', { app: app.name });
      return run(progressOf(daemon, app, action, report));
    };
    const outcome = await guarded().catch(failedOutcome);
    if (action === 'reload') app.noteReload(outcome);
    daemon.features.sync(app);
    const [change] = app.changes;
    const isNew = change?.at !== changeBefore?.at;
    const level = outcome.ok ? 'info' : 'error';
    const changed = isNew ? change.differences.map(({ key }) => key) : [];
    const entry = { app: app.name, action, by: authors.getStore() ?? null, changed, ...outcome };
    daemon.log[level]('action.ended', entry);
    const result = appOutcome(app.name, action, outcome, { ...ids, ...app.ids });
    const { ok, done, failed, kept, rolledBack, durationMs } = result;
    const details = { ok, done, failed, kept, rolledBack, durationMs, ...(isNew && { change }) };
    publish('ended', details);
    const summarized = { ...result, before, after: summary() };
    daemon.onOutcome(summarized);
    return summarized;
  });
}

/** @param {Pick<RequestContext<CommandNotifications>, 'notify'>} ctx @returns {SendProgress} */
export function progressTo(ctx) {
  return (event) => ctx.notify('progress', event);
}

/** @param {Daemon} daemon @param {App} app @param {string} action @returns {Publish} */
function publisherOf({ events }, app, action) {
  if (action === 'none') return () => {};
  // Users call it a start.
  const name = action === 'resume' ? 'start' : action;
  return (stage, details) => events.publish(app, { type: `${name}.${stage}`, ...details });
}

/**
 * Adds worker ids, since users do not know slots.
 * @param {Daemon} daemon @param {App} app @param {string} action @param {SendProgress} report @returns {ReportProgress}
 */
function progressOf({ log }, app, action, report) {
  const { ids } = app;
  return (progress) => {
    log.info('action.step', { app: app.name, action, ...progress });
    const { slot = -1 } = progress;
    report({ ...progress, app: app.name, id: app.ids[slot] ?? ids[slot] ?? null });
  };
}
