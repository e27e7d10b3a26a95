/** More or fewer workers, and settings that need no new worker. */
import { availableParallelism } from 'node:os';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Report, World } from '../control/world.js'
 */

/**
 * @param {string | number} instances '4', '+2', '-1', 'max'
 * @param {number} present
 * @returns {number} from 1 up
 * @throws {NodeclusterError} E_SCALE_COUNT
 */
export function scaleCount(instances, present) {
  const text = String(instances);
  if (text === 'max') return availableParallelism();
  const [, sign, digits] = /^([+-]?)(\d{1,4})$/.exec(text) ?? [];
  const number = Number(digits);
  const count = sign ? present + (sign === '+' ? number : -number) : number;
  if (!(count >= 1)) throw new NodeclusterError('E_SCALE_COUNT', { instances: text, present });
  return count;
}

/**
 * @param {World} world
 * @param {App} app
 * @param {number[]} slots that there shall be
 * @param {Spec} spec the app's own, or one that differs in what needs no new worker
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function scaleTo(world, app, slots, spec, report) {
  app.link.refuseUnknown();
  await world.table.change(app, () => {
    app.spec = spec;
    world.table.setSlots(app, slots);
  });
  if (app.stopped) return { ok: true };
  return app.link.request('scale', { spec: app.spec, slots }, { report });
}

/**
 * @param {World} world
 * @param {App} app
 * @param {Spec} spec
 * @returns {Promise<PartialOutcome>}
 */
export async function configureApp(world, app, spec) {
  app.link.refuseUnknown();
  await world.table.change(app, () => {
    app.spec = app.withOwnCount(spec);
  });
  if (!app.stopped) await app.link.request('configure', { spec: app.spec });
  return { ok: true };
}
