import { reloadApp } from '../actions/replace.js';
import { onSelected } from './selected.js';
import { withShellEnv } from './shell-env.js';

/** @import { AsyncHandler } from './methods.js' */

/** @type {AsyncHandler<'reload'>} */
export function reload(world, { selectors, updateEnv, parallel, onFailure, wait }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'reload',
    inTurn: true,
    wait,
    command: ({ app, slots }, report) => {
      const spec = withShellEnv(app.spec, updateEnv);
      return reloadApp(world, app, { slots, spec, parallel, onFailure }, report);
    },
  });
}
