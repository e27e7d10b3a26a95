import { reloadApp } from '../actions/replace.js';
import { startApp } from '../actions/start.js';
import { onSelected } from './selected.js';
import { withShellEnv } from './shell-env.js';

/** @import { AsyncHandler } from './methods.js' */

/**
 * Workers that run are left alone, so another environment is for an app that does not run, or not
 * any more.
 * @type {AsyncHandler<'resume'>}
 */
export function resume(world, { selectors, updateEnv }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'resume',
    command: ({ app, slots }, report) => {
      const spec = withShellEnv(app.spec, updateEnv);
      const isRenewed = spec !== app.spec && (app.isDown || app.hasGivenUp);
      return isRenewed
        ? reloadApp(world, app, { slots, spec }, report)
        : startApp(world, app, slots, report);
    },
  });
}
