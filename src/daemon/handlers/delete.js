import { removeApp } from '../actions/remove.js';
import { onSelected } from './selected.js';

/** @import { AsyncHandler } from './methods.js' */

/** @type {AsyncHandler<'delete'>} */
export function remove(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'delete',
    command: ({ app, slots }, report) => removeApp(world, app, slots, report),
  });
}
