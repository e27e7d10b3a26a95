/** The apps that a request is about, and an action on each of them. */
import { NodeclusterError } from '../../errors/error.js';
import { oneByOne, runAction } from '../control/run-action.js';
import { select } from '../control/targets.js';
import { readSelectors } from '../control/validate.js';

/**
 * @import { CommandNotifications } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { App } from '../apps/app.js'
 * @import { AppOutcome, PartialOutcome } from '../../protocol/shapes.js'
 * @import { ProgressListener, Report, World } from '../control/world.js'
 */

/**
 * @typedef {{app: App, slots: number[] | null}} Selected slots null: all of them, as one
 */

/**
 * @param {World} world
 * @param {string[]} selectors
 * @returns {Selected[]}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_SELECTOR_REGEX,
 *   E_REQUEST_INVALID
 */
export function selected(world, selectors) {
  return chosen(world, selectors).map(({ app, present }) => ({ app, slots: present() }));
}

/**
 * Refused before anything happens when one of the apps is busy with the same.
 * @param {World} world
 * @param {RequestContext<CommandNotifications>} ctx
 * @param {object} order
 * @param {string[]} order.selectors
 * @param {string} order.action
 * @param {boolean} [order.inTurn] app after app, which asks less of the machine
 * @param {boolean} [order.wait] false: answers when it has begun; only with inTurn
 * @param {(one: Selected, report: Report) => Promise<PartialOutcome>} order.command
 * @returns {Promise<{apps: AppOutcome[]}>}
 */
export async function onSelected(world, ctx, order) {
  const { selectors, action, inTurn = false, wait = true, command } = order;
  const all = chosen(world, selectors);
  for (const { app } of all) app.lane.check(action);
  const report = wait ? progressTo(ctx) : undefined;
  const actions = all.map(({ app, present }) => ({
    name: app.name,
    action,
    run: () =>
      runAction(world, app, {
        action,
        report,
        command: async (tell) => command({ app, slots: present() }, tell),
      }),
  }));
  if (inTurn) return { apps: await oneByOne(world, actions, wait) };
  return { apps: await Promise.all(actions.map(({ run }) => run())) };
}

/**
 * @param {World} world
 * @param {string[]} selectors
 * @returns {{app: App, present: () => number[] | null}[]} present: the slots, as far as they still
 *   have the workers that were meant; it throws E_WORKER_DELETED when none has
 */
function chosen(world, selectors) {
  const apps = new Map(world.table.all().map((app) => [app.name, app]));
  return select(readSelectors(selectors), [...apps.values()]).map(({ name, slots }) => {
    const app = /** @type {App} */ (apps.get(name));
    const { ids } = app;
    const present = () => {
      const left = slots?.filter((slot) => app.ids[slot] === ids[slot]);
      if (left?.length === 0) {
        const workers = slots?.map((slot) => `${name}:${slot}`);
        throw new NodeclusterError('E_WORKER_DELETED', { workers });
      }
      return left === undefined || left.length === app.slots.length ? null : left;
    };
    return { app, present };
  });
}

/**
 * @param {RequestContext<CommandNotifications>} ctx
 * @returns {ProgressListener}
 */
export function progressTo(ctx) {
  return (event) => ctx.notify('progress', event);
}
