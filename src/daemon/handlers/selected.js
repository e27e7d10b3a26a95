/** The apps that a request is about, and an action on each of them. */
import { oneByOne, runAction } from '../run-action.js';
import { select } from '../selectors.js';
import { readSelectors } from '../shape.js';

/**
 * @typedef {import('../world.js').World} World
 * @typedef {import('../world.js').Report} Report
 * @typedef {import('../app.js').App} App
 * @typedef {import('../../protocol/server.js').RequestContext} RequestContext
 * @typedef {{app: App, slots: number[] | null}} Selected slots null: all of them, as one
 */

/**
 * @param {World} world
 * @param {string[]} selectors
 * @returns {Selected[]}
 * @throws {import('../../errors/error.js').NodeclusterError} E_APP_UNKNOWN, E_SELECTOR_REGEX,
 *   E_REQUEST_INVALID
 */
export function selected(world, selectors) {
  const apps = new Map(world.table.all().map((app) => [app.name, app]));
  return select(readSelectors(selectors), [...apps.values()]).map(({ name, slots }) => {
    const app = /** @type {App} */ (apps.get(name));
    return { app, slots: slots?.length === app.slots.length ? null : slots };
  });
}

/**
 * Refused before anything happens when one of the apps is busy with the same.
 * @param {World} world
 * @param {RequestContext} ctx
 * @param {object} order
 * @param {string[]} order.selectors
 * @param {string} order.action
 * @param {boolean} [order.inTurn] app after app, which asks less of the machine
 * @param {boolean} [order.wait] false: answers when it has begun; only with inTurn
 * @param {(one: Selected, report: Report) => Promise<import('../outcome.js').Outcome>} order.command
 * @returns {Promise<{apps: import('../outcome.js').AppOutcome[]}>}
 */
export async function onSelected(world, ctx, order) {
  const { selectors, action, inTurn = false, wait = true, command } = order;
  const all = selected(world, selectors);
  for (const { app } of all) app.lane.check(action);
  const report = wait ? progressTo(ctx) : undefined;
  const actions = all.map((one) => ({
    name: one.app.name,
    action,
    run: () => runAction(world, one.app, { action, report, command: (tell) => command(one, tell) }),
  }));
  if (inTurn) return { apps: await oneByOne(world, actions, wait) };
  return { apps: await Promise.all(actions.map(({ run }) => run())) };
}

/**
 * @param {RequestContext} ctx
 * @returns {Report}
 */
export function progressTo(ctx) {
  return (event) => ctx.notify('progress', event);
}
