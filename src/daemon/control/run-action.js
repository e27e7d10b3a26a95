/** One action on one app: in its turn, with its progress told, and its end put into words. */
import { NodeclusterError } from '../../errors/error.js';
import { acceptedOutcome, appOutcome, failedOutcome, standingOf } from '../apps/outcome.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { AppOutcome, PartialOutcome, Progress } from '../../protocol/shapes.js'
 * @import { ProgressListener, Report, World } from './world.js'
 */

/**
 * @param {World} world
 * @param {App} app
 * @param {object} order
 * @param {string} order.action its name for the user
 * @param {(report: Report) => Promise<PartialOutcome>} order.command
 * @param {ProgressListener} [order.report]
 * @returns {Promise<AppOutcome>} also of a command that threw
 * @throws {NodeclusterError} E_APP_BUSY
 */
export async function runAction(world, app, { action, command, report = () => {} }) {
  const log = world.log.of({ app: app.name });
  app.lane.check(action);
  const { doing } = app.lane;
  if (doing) report({ app: app.name, kind: 'waiting', reason: `until its ${doing} is done` });
  return app.lane.run(action, async () => {
    const ids = app.ids;
    const before = standingOf(app);
    // A user who resumes an app starts it.
    const name = action === 'resume' ? 'start' : action;
    world.events.publish(app, { type: `${name}.begun` });
    /** @type {Report} */
    const tell = (event) => {
      const slot = event.slot ?? -1;
      const id = app.ids[slot] ?? ids[slot] ?? null;
      log.info('action.step', { action, ...briefly(event) });
      report({ ...event, app: app.name, id });
    };
    const outcome = await attempt(world, app, () => command(tell));
    if (action === 'reload') noteLost(app, outcome);
    world.triggers.sync(app);
    log[outcome.ok ? 'info' : 'error']('action.ended', { action, ...outcome });
    const told = appOutcome(app.name, action, outcome, { ...ids, ...app.ids });
    world.events.publish(app, { type: `${name}.ended`, ...outcomeOf(told) });
    return { ...told, before, after: standingOf(app) };
  });
}

/**
 * One after the other. What is refused at its turn, because it has become impossible meanwhile,
 * keeps the others from nothing.
 * @param {World} world
 * @param {{name: string, action: string, run: () => Promise<AppOutcome>}[]} actions by app
 * @param {boolean} wait false: answers when the first has begun
 * @returns {Promise<AppOutcome[]>}
 */
export async function oneByOne(world, actions, wait) {
  const all = runEach(world, actions);
  return wait ? all : actions.map(({ name, action }) => acceptedOutcome(name, action));
}

/**
 * @param {World} world
 * @param {Parameters<typeof oneByOne>[1]} actions
 */
async function runEach(world, actions) {
  const outcomes = [];
  for (const { name, action, run } of actions) {
    try {
      outcomes.push(await run());
    } catch (thrown) {
      const { message: reason } = NodeclusterError.from(thrown);
      world.log.error('action.refused', { app: name, action, reason });
      outcomes.push(appOutcome(name, action, failedOutcome(thrown), {}));
    }
  }
  return outcomes;
}

/** @param {AppOutcome} outcome what an event tells of it */
function outcomeOf({ ok, done, failed, kept, rolledBack, durationMs }) {
  return { ok, done, failed, kept, rolledBack, durationMs };
}

/**
 * The last lines of a worker are told once, with the outcome.
 * @param {Progress} event
 */
function briefly({ lastLines: _told, ...event }) {
  return event;
}

/**
 * @param {App} app
 * @param {PartialOutcome} outcome of a reload
 */
function noteLost(app, { ok, failed = [] }) {
  const isLost = !ok && failed[0]?.slot === null;
  app.lostReload = isLost ? { ok: false, at: Date.now(), reason: failed[0].reason } : null;
  if (isLost) app.lostReloads += 1;
}

/**
 * @param {World} world
 * @param {App} app
 * @param {() => Promise<PartialOutcome>} command
 */
async function attempt(world, app, command) {
  try {
    if (world.ending) throw new NodeclusterError('E_DAEMON_ENDING');
    if (app.deleted) throw new NodeclusterError('E_APP_DELETED', { app: app.name });
    return await command();
  } catch (thrown) {
    return failedOutcome(thrown);
  }
}
