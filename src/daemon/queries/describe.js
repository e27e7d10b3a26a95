import { logPaths, NOWHERE } from '../../shared/log-files/log-paths.js';
import { resolveTargets } from '../control/targets.js';
import { viewApps } from './list.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Handler<'describe'>} */
export async function describe(daemon, { selectors, telemetry = false }) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => app);
  const views = await viewApps(daemon, apps, telemetry === true);
  return { apps: views.map((view, index) => ({ ...view, ...detailsOf(daemon, apps[index]) })) };
}

/** @param {Daemon} daemon @param {App} app */
function detailsOf({ paths, output }, { name, spec, slots: numbers, link, lastReload }) {
  const { busy = null, slots = [], retiring = [], node = null } = { ...link.snapshot };
  const files = (numbers.length > 0 ? numbers : [0]).map((slot) => logPaths(spec, paths, slot));
  const logs = {
    out: distinct([...(output ? ['/dev/stdout'] : []), ...files.flatMap(({ out }) => out)]),
    error: distinct([...(output ? ['/dev/stderr'] : []), ...files.flatMap(({ error }) => error)]),
    primary: paths.app(name).log,
  };
  // Variables may be secret; the query `env` masks them.
  const shownSpec = { ...spec, env: {}, shellEnv: {} };
  return { node, busy, lastReload, slots, retiring, logs, spec: shownSpec };
}

/** @param {string[]} files */
function distinct(files) {
  return files.length > 0 ? [...new Set(files)] : [NOWHERE];
}
