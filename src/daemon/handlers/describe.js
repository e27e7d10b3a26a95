import { viewApps } from './list.js';
import { selected } from './selected.js';

/** @type {import('./methods.js').Handler} */
export async function describe(world, { selectors, telemetry = false }) {
  const apps = selected(world, selectors).map(({ app }) => app);
  const views = await viewApps(world, apps, { telemetry });
  return { apps: views.map((view, index) => ({ ...view, ...detailsOf(world, apps[index]) })) };
}

/**
 * @param {import('../world.js').World} world
 * @param {import('../app.js').App} app
 */
function detailsOf({ paths }, { name, spec, link, lostReload }) {
  const { busy = null, slots = [], retiring = [], node = null } = { ...link.snapshot };
  const lastReload = lostReload ?? link.snapshot?.lastReload ?? null;
  const logs = {
    out: paths.logFile(name, 'out'),
    error: paths.logFile(name, 'error'),
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
