import { removeApp } from '../actions/remove.js';
import { onSelected } from './selected.js';

/** @import { Handler } from './methods.js' */

/** @type {Handler} */
export function remove(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'delete',
    command: ({ app, slots }, report) => removeApp(world, app, slots, report),
  });
}
