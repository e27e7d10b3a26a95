import { onSelected } from './selected.js';

/** @import { Handler } from './methods.js' */

/** @type {Handler} */
export function reset(world, { selectors }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'reset',
    command: async ({ app, slots }) =>
      app.isDown ? { ok: true } : app.link.request('reset', { slots: slots ?? undefined }),
  });
}
