import { stopApp } from '../actions/stop.js';
import { onSelected } from './selected.js';

/** @import { Handler } from './methods.js' */

/** @type {Handler} */
export function stop(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'stop',
    command: ({ app, slots }, report) => stopApp(world, app, slots, report),
  });
}
