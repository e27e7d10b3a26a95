import { restartApp } from '../actions/replace.js';
import { onSelected } from './selected.js';
import { withShellEnv } from './shell-env.js';

/** @import { AsyncHandler } from './methods.js' */

/** @type {AsyncHandler<'restart'>} */
export function restart(world, { selectors, updateEnv }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'restart',
    inTurn: true,
    command: ({ app, slots }, report) =>
      restartApp(world, app, { slots, spec: withShellEnv(app.spec, updateEnv) }, report),
  });
}
