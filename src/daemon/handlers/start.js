import { NodeclusterError } from '../../errors/error.js';
import { bringUp } from '../actions/start.js';
import { announce } from '../announce.js';
import { keep } from '../keeper.js';
import { appOutcome } from '../outcome.js';
import { runAction } from '../run-action.js';
import { readSpecs } from '../shape.js';
import { progressTo } from './selected.js';

/**
 * @typedef {import('../app.js').Spec} Spec
 * @typedef {import('../outcome.js').AppOutcome} AppOutcome
 */

/** @type {import('./methods.js').Handler} */
export async function start(world, params, ctx) {
  const { allowExisting = false } = params;
  const all = readSpecs(params);
  refuseTwins(all);
  const names = all.map(({ name }) => name).filter((name) => world.table.get(name));
  if (names.length > 0 && !allowExisting) throw new NodeclusterError('E_APP_EXISTS', { names });
  const report = progressTo(ctx);
  const outcomes = all.map((spec) =>
    names.includes(spec.name)
      ? appOutcome(spec.name, 'none', { ok: true }, {})
      : startNew(world, spec, report),
  );
  return { apps: await Promise.all(outcomes) };
}

/**
 * @param {Spec[]} specs
 * @throws {NodeclusterError} E_NAME_TWICE
 */
function refuseTwins(specs) {
  const names = specs.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new NodeclusterError('E_NAME_TWICE', { name: twin });
}

/**
 * @param {import('../world.js').World} world
 * @param {Spec} spec
 * @param {import('../world.js').Report} [report]
 * @returns {Promise<AppOutcome>}
 * @throws {NodeclusterError} E_APP_EXISTS, E_DAEMON_ENDING
 */
export async function startNew(world, spec, report) {
  // It has no turn to wait for yet; once it is in the table, the next daemon starts it.
  if (world.ending) throw new NodeclusterError('E_DAEMON_ENDING');
  const app = world.table.add(spec);
  announce(world, app);
  keep(world, app);
  return runAction(world, app, {
    action: 'start',
    report,
    command: async (tell) => {
      await save(world, app);
      return bringUp(world, app, app.slots, tell);
    },
  });
}

/**
 * An app that cannot be written down is not begun.
 * @param {import('../world.js').World} world
 * @param {import('../app.js').App} app
 * @throws {NodeclusterError} E_HOME_WRITE
 */
async function save({ table }, app) {
  try {
    await table.save();
  } catch (error) {
    table.remove(app);
    throw error;
  }
}
