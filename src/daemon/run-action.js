/** One action on one app: in its turn, with its progress told, and its end put into words. */
import { NodeclusterError } from '../errors/error.js';
import { appOutcome, failedOutcome, standingOf } from './outcome.js';

/**
 * @typedef {import('./world.js').World} World
 * @typedef {import('./world.js').Report} Report
 * @typedef {import('./app.js').App} App
 * @typedef {import('./outcome.js').AppOutcome} AppOutcome
 */

/**
 * @param {World} world
 * @param {App} app
 * @param {object} order
 * @param {string} order.action its name for the user
 * @param {(report: Report) => Promise<import('./outcome.js').Outcome>} order.command
 * @param {Report} [order.report]
 * @returns {Promise<AppOutcome>} also of a command that threw
 * @throws {NodeclusterError} E_APP_BUSY
 */
export function runAction(world, app, { action, command, report = () => {} }) {
  const { doing } = app.lane;
  if (doing) report({ app: app.name, kind: 'waiting', reason: `until its ${doing} is done` });
  return app.lane.run(action, async () => {
    const ids = app.ids;
    const before = standingOf(app);
    const tell = (/** @type {any} */ event) => {
      const id = app.ids[event.slot] ?? ids[event.slot] ?? null;
      report({ ...event, app: app.name, id });
    };
    const outcome = await attempt(world, app, () => command(tell));
    world.triggers.sync(app);
    world.log(`${app.name}: ${action}: ${JSON.stringify(outcome)}`);
    const told = appOutcome(app.name, action, outcome, { ...ids, ...app.ids });
    return { ...told, before, after: standingOf(app) };
  });
}

/**
 * @param {World} world
 * @param {App} app
 * @param {() => Promise<import('./outcome.js').Outcome>} command
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
