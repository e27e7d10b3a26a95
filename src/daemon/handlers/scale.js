import { NodeclusterError } from '../../errors/error.js';
import { scaleCount, scaleTo } from '../actions/scale.js';
import { slotsFor } from '../apps/ids.js';
import { onSelected, selected } from './selected.js';

/** @import { AsyncHandler } from './methods.js' */

/** @type {AsyncHandler<'scale'>} */
export function scale(world, { selector, instances }, ctx) {
  const chosen = selected(world, [selector]);
  if (chosen.length !== 1 || chosen[0].slots !== null) {
    throw new NodeclusterError('E_SCALE_SELECTOR', { selector });
  }
  scaleCount(instances, chosen[0].app.slots.length);
  return onSelected(world, ctx, {
    selectors: [chosen[0].app.name],
    action: 'scale',
    command: ({ app }, report) => {
      const slots = slotsFor(app.slots, scaleCount(instances, app.slots.length));
      return scaleTo(world, app, slots, app.spec, report);
    },
  });
}
