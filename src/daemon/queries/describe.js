import { maskAlarm } from '../../config/secrets.js';
import { logPaths, NOWHERE } from '../../shared/log-files/log-paths.js';
import { resolveTargets } from '../control/targets.js';
import { viewApps } from './list.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Handler<'describe'>} */
export async function describe(daemon, { selectors, telemetry = false, showSecrets = false }) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => app);
  const views = await viewApps(daemon, apps, telemetry);
  const details = apps.map((app) => detailsOf(daemon, app, showSecrets));
  return { apps: views.map((view, index) => ({ ...view, ...details[index] })) };
}

/** @param {Daemon} daemon @param {App} app @param {boolean} showSecrets of its alarms */
function detailsOf({ paths, output, features }, app, showSecrets) {
  const { name, spec, slots: numbers, link, lastReload } = app;
  const { busy = null, slots = [], retiring = [], node = null } = { ...link.snapshot };
  const lastReplacement = link.snapshot?.lastReplacement ?? null;
  const files = (numbers.length > 0 ? numbers : [0]).map((slot) => logPaths(spec, paths, slot));
  const logs = {
    out: distinct([...(output ? ['/dev/stdout'] : []), ...files.flatMap(({ out }) => out)]),
    error: distinct([...(output ? ['/dev/stderr'] : []), ...files.flatMap(({ error }) => error)]),
    primary: paths.app(name).log,
  };
  // Variables may be secret; the query `env` masks them.
  const on = showSecrets ? spec.on : spec.on.map(maskAlarm);
  const shownSpec = { ...spec, on, env: {}, shellEnv: {} };
  const last = { lastReload, lastReplacement };
  return { node, busy, ...last, slots, retiring, logs, ...features.details(app), spec: shownSpec };
}

/** @param {string[]} files */
function distinct(files) {
  return files.length > 0 ? [...new Set(files)] : [NOWHERE];
}
