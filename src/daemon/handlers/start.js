import { NodeclusterError } from '../../errors/error.js';
import { bringUp } from '../actions/start.js';
import { announce } from '../events/announce.js';
import { keep } from '../primaries/supervisor.js';
import { runAction } from '../control/run-action.js';
import { readSpecs } from '../control/validate.js';
import { progressTo } from './selected.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { ProgressListener, World } from '../control/world.js'
 * @import { AsyncHandler } from './methods.js'
 */

/** @type {AsyncHandler<'start'>} */
export async function start(world, params, ctx) {
  const all = readSpecs(params);
  refuseTwins(all);
  const names = all.map(({ name }) => name).filter((name) => world.table.get(name));
  if (names.length > 0) throw new NodeclusterError('E_APP_EXISTS', { names });
  const report = progressTo(ctx);
  return { apps: await Promise.all(all.map((spec) => startNew(world, spec, report))) };
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
 * @param {World} world
 * @param {Spec} spec
 * @param {ProgressListener} [report]
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
 * @param {World} world
 * @param {App} app
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
