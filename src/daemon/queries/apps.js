/** What the daemon knows of its apps. */
import { byName, withoutNulls } from '../../shared/merge-patch.js';
import { VERSION } from '../../shared/version.js';
import { recordOf, slotStates, workerPids } from '../apps/record.js';
import { nameOfUser } from '../users/account.js';
import { MASK, maskSecret, maskSecrets } from '../../shared/secrets.js';
import { NOWHERE } from '../../shared/log-files/log-paths.js';
import { resolveTargets } from '../control/targets.js';
import { logFilesOf } from '../actions/logs.js';
import { isOtherUser } from '../../shared/home.js';

/**
 * @import { DaemonMethods, Listed } from '../../protocol/methods.js'
 * @import { App as AppRecord, Field, Watched } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** ms; some scrapers poll only once a minute, and the workers must keep measuring in between. */
const SCRAPE_MS = 120_000;

/** @typedef {Omit<DaemonMethods['list']['params'], 'selectors'>} Asked */

/** @type {Handler<'list'>} */
export async function list(daemon, { selectors, ...asked }) {
  const { table } = daemon;
  const apps = selectors ? resolveTargets(daemon, selectors).map(({ app }) => app) : table.all();
  return listApps(daemon, apps, asked);
}

/** @param {Daemon} daemon @param {App[]} apps @param {Asked} asked @returns {Promise<Listed>} */
export async function listApps(daemon, apps, { fields = [], showSecrets = false }) {
  const has = (/** @type {Field} */ field) => fields.includes(field);
  const lease = has('counters') ? { leaseMs: SCRAPE_MS, recentMs: SCRAPE_MS } : {};
  const pids = new Set([
    ...(has('usage') || has('counters') ? apps.flatMap(workerPids) : []),
    ...(has('counters') ? [process.pid, ...apps.flatMap(({ link }) => link.pid ?? [])] : []),
  ]);
  const [usages, telemetry, measured, users] = await Promise.all([
    daemon.metrics.sample([...pids]),
    has('vitals') || has('counters') ? daemon.telemetry.sample(apps, lease) : new Map(),
    Promise.all(daemon.features.ask('measure', apps, fields)),
    Promise.all(apps.map(({ spec: { uid } }) => (isOtherUser(uid) ? nameOfUser(uid) : null))),
  ]);
  /** @type {Set<number | undefined>} */
  const counted = new Set();
  const records = apps.map((app, index) => {
    const known = recordOf(app, { usages, telemetry });
    const record = daemon.features.record(app, known, fields);
    for (const add of measured) add?.(app, record);
    if (users[index] !== null) record.user = users[index];
    if (has('details')) addDetails(record, daemon, app, showSecrets);
    if (!has('counters')) return record;
    for (const worker of record.workers) worker.report = telemetry.get(worker.pid ?? 0)?.report;
    // One that several apps share is counted once.
    if (!counted.has(record.primaryPid)) record.primaryUsage = usages.get(record.primaryPid ?? 0);
    counted.add(record.primaryPid);
    return record;
  });
  const identity = {
    ...identityOf(daemon),
    ...(has('counters') && { usage: usages.get(process.pid) }),
  };
  return { daemon: identity, apps: records, notes: daemon.table.notes };
}

/** @param {Daemon} daemon @returns {Promise<Watched>} */
export async function watchedApps(daemon) {
  const listed = await listApps(daemon, daemon.table.all(), { fields: ['usage', 'vitals'] });
  return { daemon: listed.daemon, ...byName(listed.apps) };
}

/** @param {Pick<Daemon, 'isShuttingDown'>} daemon */
export function identityOf({ isShuttingDown }) {
  const { pid, version: node } = process;
  const startedAt = Math.round(performance.timeOrigin);
  return { pid, version: VERSION, node, startedAt, ...(isShuttingDown && { isShuttingDown }) };
}

/** @param {AppRecord} record @param {Daemon} daemon @param {App} app @param {boolean} showSecrets of its settings */
function addDetails(record, daemon, app, showSecrets) {
  const { spec, link } = app;
  if (link.snapshot?.node) record.node = link.snapshot.node;
  record.logs = logsOf(daemon, app);
  record.changes = withoutNulls(app.changes);
  // Variables may be secret; the query `env` masks them.
  const shown = showSecrets ? spec : maskSecrets(spec);
  record.spec = { ...shown, env: {}, shellEnv: {} };
  for (const [index, { lastExit, earlierExits }] of slotStates(app).entries()) {
    Object.assign(record.workers[index], withoutNulls({ lastExit, earlierExits }));
  }
}

/** @param {Daemon} daemon @param {App} app */
function logsOf({ paths, output }, { spec, slots }) {
  const files = logFilesOf(spec, slots, paths);
  const pathsOf = (/** @type {'out' | 'error'} */ stream, /** @type {string} */ own) => {
    const all = new Set([...(output ? [own] : []), ...files.flatMap((each) => each[stream])]);
    return all.size > 0 ? [...all] : [NOWHERE];
  };
  return { out: pathsOf('out', '/dev/stdout'), error: pathsOf('error', '/dev/stderr') };
}

/** @type {Handler<'env'>} */
export async function env(daemon, { selectors, showSecrets = false }) {
  const apps = resolveTargets(daemon, selectors).map(({ app: { name, spec, link } }) => {
    const read = Object.entries(link.snapshot?.variablesFrom ?? {}).sort();
    // Their values are known to the workers only.
    const masked = Object.fromEntries(read.map(([key, from]) => [key, { value: MASK, from }]));
    return { name, env: { ...variablesOf(spec, showSecrets), ...masked } };
  });
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

/** Clients read the files themselves; no line goes through the daemon. @type {Handler<'log-files'>} */
export async function logFiles(daemon, { selectors }) {
  const apps = resolveTargets(daemon, selectors).map(({ app, currentSlots }) => {
    const { name, spec } = app;
    const slots = currentSlots();
    const style = { type: spec.logType, time: spec.time, dateFormat: spec.logDateFormat };
    const files = logFilesOf(spec, slots ?? app.slots, daemon.paths);
    const user = isOtherUser(spec.uid) ? spec.uid : null;
    const isForeground = daemon.output !== null;
    const { slots: workers, createdAt } = app;
    return { name, user, slots, workers, createdAt, style, files, isForeground };
  });
  return { apps };
}
