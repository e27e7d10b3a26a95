/** Changes the number of workers, and settings that need no new worker. */
import { MAX_INSTANCES } from '../../config/types/values.js';
import { NodeclusterError } from '../../errors/error.js';
import { allowedSlots, withCount, workerBounds, workerCount } from '../apps/slots.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { Action } from '../control/run-command.js'
 */

/**
 * What `scale` makes of an app. One that scales itself keeps its range, and goes on from that number.
 * @param {Pick<App, 'spec' | 'count'>} app
 * @param {string | number} instances '4', '+2', '-1', 'max'
 * @throws {NodeclusterError} E_SCALE_COUNT, E_SCALE_RANGE
 */
export function scaledTo({ spec, count: current }, instances) {
  const given = newCount(spec.name, instances, current);
  if (typeof spec.instances === 'number') {
    const fixed = withCount(spec, given);
    return { spec: fixed, count: workerCount(fixed.instances) };
  }
  const { min, max } = workerBounds(spec.instances);
  const count = given === 0 ? max : given;
  if (count >= min && count <= max) return { spec, count };
  throw new NodeclusterError('E_SCALE_RANGE', { app: spec.name, count, min, max });
}

/** As a spec has it: 0 for max, or up to MAX_INSTANCES. @param {string} app @param {string | number} instances @param {number} current */
function newCount(app, instances, current) {
  const text = String(instances);
  if (text === 'max') return 0;
  const [, sign, digits] = /^([+-]?)(\d{1,4})$/.exec(text) ?? [];
  const number = Number(digits);
  const count = sign ? current + (sign === '+' ? number : -number) : number;
  if (count >= 1 && count <= MAX_INSTANCES) return count;
  throw new NodeclusterError('E_SCALE_COUNT', { app, instances: text, present: current });
}

/** @type {Action<{spec: Spec, count?: number, slots?: number[]}>} spec: differs only in what needs no new worker */
export async function scaleApp(daemon, app, order, report) {
  const { spec, count, slots = allowedSlots(spec, app, count) } = order;
  app.link.refuseUnknown();
  await daemon.table.change(app, () => {
    app.spec = spec;
    daemon.table.setSlots(app, slots);
  });
  if (app.stopped) return { ok: true };
  return app.request('scale', { spec: app.spec, slots }, { report });
}
