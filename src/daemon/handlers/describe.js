import { logPaths, NOWHERE } from '../../shared/log-files/log-paths.js';
import { viewApps } from './list.js';
import { selected } from './selected.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { World } from '../control/world.js'
 * @import { AsyncHandler } from './methods.js'
 */

/** @type {AsyncHandler<'describe'>} */
export async function describe(world, { selectors, telemetry = false }) {
  const apps = selected(world, selectors).map(({ app }) => app);
  const views = await viewApps(world, apps, { telemetry });
  return { apps: views.map((view, index) => ({ ...view, ...detailsOf(world, apps[index]) })) };
}

/**
 * @param {World} world
 * @param {App} app
 */
function detailsOf({ paths }, { name, spec, slots: numbers, link, lastReload }) {
  const { busy = null, slots = [], retiring = [], node = null } = { ...link.snapshot };
  const files = (numbers.length > 0 ? numbers : [0]).map((slot) => logPaths(spec, paths, slot));
  const logs = {
    out: listed(files.flatMap(({ out }) => out)),
    error: listed(files.flatMap(({ error }) => error)),
    primary: paths.app(name).log,
  };
  // Variables may be secret; the request `env` masks them.
  return {
    node,
    busy,
    lastReload,
    slots,
    retiring,
    logs,
    spec: { ...spec, env: {}, shellEnv: {} },
  };
}

/** @param {string[]} files */
function listed(files) {
  return [...new Set(files)].join(', ') || NOWHERE;
}
