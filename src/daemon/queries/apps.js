import { machineMs } from '../../shared/monotonic.js';
import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../apps/view.js';
import { userNameOf } from '../users/account.js';
import { maskSecret } from '../../shared/secrets.js';
import { maskedSpec } from '../../config/settings-of.js';
import { NOWHERE, logPaths } from '../../shared/log-files/log-paths.js';
import { resolveTargets } from '../control/targets.js';
import { logFilesOf } from '../apps/log-files.js';
import { isOtherUser } from '../../shared/home.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** @type {Handler<'list'>} */
export async function list(daemon, { telemetry = false }) {
  const apps = await viewApps(daemon, daemon.table.all(), telemetry);
  const { pid, version: node } = process;
  return { daemon: { pid, version: VERSION, node }, apps, notes: daemon.table.notes };
}

/**
 * @param {Daemon} daemon
 * @param {App[]} apps
 * @param {boolean} withTelemetry what the workers measure about themselves
 */
export async function viewApps({ metrics, telemetry, features }, apps, withTelemetry) {
  const [usages, known, users] = await Promise.all([
    metrics.sample(apps.flatMap(workerPids)),
    withTelemetry ? telemetry.sample(apps) : null,
    Promise.all(apps.map(({ spec }) => userNameOf(spec.uid))),
  ]);
  const nowMs = machineMs();
  return apps.map((app, index) => ({
    ...features.view(app, viewApp(app, { usages, telemetry: known }, nowMs)),
    user: users[index],
  }));
}

/** @type {Handler<'describe'>} */
export async function describe(daemon, { selectors, telemetry = false, showSecrets = false }) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => app);
  const views = await viewApps(daemon, apps, telemetry);
  const details = apps.map((app) => detailsOf(daemon, app, showSecrets));
  return { apps: views.map((view, index) => ({ ...view, ...details[index] })) };
}

/** @param {Daemon} daemon @param {App} app @param {boolean} showSecrets of its settings */
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
  const shownSpec = { ...(showSecrets ? spec : maskedSpec(spec)), env: {}, shellEnv: {} };
  const last = { lastReload, lastReplacement };
  return { node, busy, ...last, slots, retiring, logs, ...features.details(app), spec: shownSpec };
}

/** @param {string[]} files */
function distinct(files) {
  return files.length > 0 ? [...new Set(files)] : [NOWHERE];
}

/** @type {Handler<'env'>} */
export async function env(daemon, { selectors, showSecrets = false }) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => ({
    name: app.name,
    env: variablesOf(app.spec, showSecrets),
  }));
  return { apps };
}

/** @param {Spec} spec @param {boolean} showSecrets */
function variablesOf({ shellEnv, env, given }, showSecrets) {
  const entries = Object.entries({ ...shellEnv, ...env })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const from = Object.hasOwn(env, name) ? (given[`env.${name}`] ?? 'file') : 'shell';
      return [name, { value: showSecrets ? value : maskSecret(name, value), from }];
    });
  return Object.fromEntries(entries);
}

/**
 * Clients read the files themselves; no line goes through the daemon.
 * @type {Handler<'log-files'>}
 */
export async function logFiles(daemon, { selectors }) {
  const apps = resolveTargets(daemon, selectors).map(({ app, currentSlots }) => {
    const { name, spec } = app;
    const slots = currentSlots();
    const style = { type: spec.logType, time: spec.time, dateFormat: spec.logDateFormat };
    const files = logFilesOf(spec, slots ?? app.slots, daemon.paths);
    const user = isOtherUser(spec.uid) ? spec.uid : null;
    const isForeground = daemon.output !== null;
    return { name, user, slots, workers: app.slots, style, files, isForeground };
  });
  return { apps };
}
