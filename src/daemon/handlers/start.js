import { NodeclusterError } from '../../errors/error.js';
import { bringUp } from '../actions/start.js';
import { keep } from '../keeper.js';
import { appOutcome } from '../outcome.js';
import { runAction } from '../run-action.js';
import { progressTo } from './selected.js';

/**
 * @typedef {import('../app.js').Spec} Spec
 * @typedef {import('../outcome.js').AppOutcome} AppOutcome
 */

/** @type {import('./methods.js').Handler} */
export async function start(world, { specs, allowExisting = false }, ctx) {
  /** @type {Spec[]} */
  const all = specs;
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
 * @param {import('../world.js').World} world
 * @param {Spec} spec
 * @param {import('../world.js').Report} [report]
 * @returns {Promise<AppOutcome>}
 * @throws {NodeclusterError} E_APP_EXISTS
 */
export function startNew(world, spec, report) {
  const app = world.table.add(spec);
  keep(world, app);
  return runAction(world, app, {
    action: 'start',
    report,
    command: async (tell) => {
      await world.table.save();
      return bringUp(world, app, app.slots, tell);
    },
  });
}
