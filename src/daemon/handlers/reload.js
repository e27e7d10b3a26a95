import { reloadApp } from '../actions/replace.js';
import { onSelected } from './selected.js';
import { withShellEnv } from './shell-env.js';

/** @type {import('./methods.js').Handler} */
export function reload(world, { selectors, updateEnv, parallel }, ctx) {
  return onSelected(world, ctx, {
    selectors,
    action: 'reload',
    oneByOne: true,
    command: ({ app, slots }, report) => {
      const spec = withShellEnv(app.spec, updateEnv);
      return reloadApp(world, app, { slots, spec, parallel }, report);
    },
  });
}
