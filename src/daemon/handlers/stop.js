import { stopApp } from '../actions/stop.js';
import { onSelected } from './selected.js';

/** @import { AsyncHandler } from './methods.js' */

/** @type {AsyncHandler<'stop'>} */
export function stop(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'stop',
    command: ({ app, slots }, report) => stopApp(world, app, slots, report),
  });
}
