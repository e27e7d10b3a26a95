import { stopApp } from '../actions/stop.js';
import { onSelected } from './selected.js';

/** @type {import('./methods.js').Handler} */
export function stop(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'stop',
    command: ({ app, slots }, report) => stopApp(world, app, slots, report),
  });
}
