import { onSelected } from './selected.js';

/** @import { AsyncHandler } from './methods.js' */

/** @type {AsyncHandler<'reset'>} */
export function reset(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'reset',
    command: async ({ app, slots }) =>
      app.isDown ? { ok: true } : app.link.request('reset', { slots: slots ?? undefined }),
  });
}
