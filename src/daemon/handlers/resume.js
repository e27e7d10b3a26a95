import { startApp } from '../actions/start.js';
import { onSelected } from './selected.js';

/** @type {import('./methods.js').Handler} */
export function resume(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'resume',
    command: ({ app, slots }, report) => startApp(world, app, slots, report),
  });
}
