/** The methods of the daemon's socket, one row each. */
import { resolveAgain } from '../../config/resolve-again.js';
import { shellEnvFor } from '../../config/resolve/environment.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { applySpecs, startPrograms } from '../actions/apply.js';
import { flushLogs } from '../actions/logs.js';
import { reloadApp, restartApp, resumeApp } from '../actions/replace.js';
import { scaleApp, scaledTo } from '../actions/scale.js';
import { sendInput, sendMessage, sendSignal } from '../actions/send.js';
import { killAll, removeApp, stopApp } from '../actions/stop.js';
import { updateApps } from '../actions/replace-primary.js';
import { renameApp } from '../actions/rename.js';
import { env, identityOf, list, logFiles } from '../queries/apps.js';
import { events, watch } from '../queries/live.js';
import { object, withoutOthers } from '../../shared/checks.js';
import { maskText } from '../../shared/secrets.js';
import { shortText } from '../../shared/quoting.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { daemonParams } from '../checks.js';
import { authors } from '../apps/changes.js';
import { describeRequest, senderOf } from './describe-request.js';
import { runCommand } from './run-command.js';
import { resolveTargets } from './targets.js';

/**
 * @import { FeatureDaemonMethods } from '../../features/record.js'
 * @import { DaemonMethods } from '../../protocol/methods.js'
 * @import { Handler as Method, Handlers, RequestContext } from '../../protocol/wire.js'
 * @import { Replacement } from '../actions/replace.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Action } from './run-command.js'
 * @import { Target } from './targets.js'
 */

/**
 * @template {keyof DaemonMethods} K @template [D=Daemon]
 * @typedef {(daemon: D, params: DaemonMethods[K]['params'],
 *   ctx: RequestContext<DaemonMethods[K]['notifications']>) =>
 *   Promise<DaemonMethods[K]['result']>} Handler
 */

/**
 * @typedef {object} TargetCommand does the same to every app that it targets
 * @property {string} [action] what outcomes and events call it; default: its name
 * @property {(daemon: Daemon, selectors: string[]) => Target[]} [targets] instead of those that the selectors name
 * @property {(targets: Target[], order: any, daemon: Daemon) => void} [check] throws before anything is done
 * @property {Action<any>} run
 * @property {'first'} [dependencies] an app comes after those that it depends on; default: before them
 * @property {boolean} [isQueued] false: does not wait for the commands before it
 *
 * @typedef {{command?: string} & (TargetCommand | {answer: Handler<any>})} CommandRow command: as users call it, if that is
 *   neither its name nor its parameter `action`; answer: handles the whole command itself
 * @typedef {CommandRow | {query: Handler<any>}} Row query: it only reads, and clients send some of these every second, so
 *   daemon.log omits them
 */

const NO_PARAMS = object({});
const MAX_REASON = 4096;

/** @type {Record<Exclude<keyof DaemonMethods, keyof FeatureDaemonMethods | 'ping'>, Row>} */
const METHODS = {
  list: { query: list },
  env: { query: env },
  'log-files': { query: logFiles },
  watch: { query: watch },
  events: { query: events },
  start: { answer: startPrograms },
  apply: { answer: applySpecs },
  resume: {
    command: 'start',
    action: 'start',
    targets: targetsToResume,
    run: withEnv(resumeApp),
    dependencies: 'first',
  },
  resurrect: {
    action: 'start',
    targets: targetsToResurrect,
    run: (daemon, app, { slots }, report) =>
      resumeApp(daemon, app, { slots, spec: app.spec }, report),
    dependencies: 'first',
  },
  stop: { run: stopApp },
  restart: { run: withEnv(restartApp), dependencies: 'first' },
  rename: { command: 'restart', answer: renameApp },
  reload: { run: withEnv(reloadApp), dependencies: 'first' },
  delete: { run: removeApp },
  scale: {
    check: checkScale,
    run: async (daemon, app, { instances }, report) =>
      scaleApp(daemon, app, scaledTo(app, instances), report),
  },
  reset: {
    run: async (_daemon, app, { slots }) =>
      app.isDown ? { ok: true } : app.request('reset', { slots: slots ?? undefined }),
  },
  flush: { check: refuseSingleWorkers, run: flushLogs, isQueued: false },
  send: { answer: sendMessage },
  signal: { answer: sendSignal },
  input: { command: 'attach', answer: sendInput },
  kill: { answer: killAll },
  'update-apps': { command: 'update', answer: updateApps },
};

/**
 * @param {Daemon} daemon
 * @param {() => Promise<unknown>} whenAdopted requests wait for it: before, the daemon does not know what runs
 */
export function methodsOf(daemon, whenAdopted) {
  /** @type {[string, Row][]} */
  const rows = Object.entries({ ...METHODS, ...daemon.features.methods });
  const methods = rows.map(([name, row]) => [name, methodOf(daemon, whenAdopted, name, row)]);
  return /** @type {Handlers<DaemonMethods>} */ ({
    ping: () => ({
      ...identityOf(daemon),
      root: PACKAGE_ROOT,
      isForeground: daemon.output !== null,
    }),
    ...Object.fromEntries(methods),
  });
}

/**
 * The handler of the row gets only parameters that its method declares, after they were checked.
 * @param {Daemon} daemon @param {() => Promise<unknown>} whenAdopted @param {string} name @param {Row} row
 * @returns {Method<any>}
 */
function methodOf(daemon, whenAdopted, name, row) {
  const check = daemonParams[name] ?? NO_PARAMS;
  const handler = handlerOf(name, row);
  return async (given, ctx) => {
    const fault = check(given);
    const params = fault === null ? withoutOthers(given, check) : null;
    const run = async () => {
      await whenAdopted();
      if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
      if (params === null) {
        const what = `${fault} of ${name} is not valid`;
        throw new NodeclusterError('E_REQUEST_INVALID', { what });
      }
      return handler(daemon, params, ctx);
    };
    return 'query' in row ? run() : logged(daemon, { name, row, params }, ctx, run);
  };
}

/** @param {string} name @param {Row} row @returns {Handler<any>} */
function handlerOf(name, row) {
  if ('query' in row) return row.query;
  if ('answer' in row) return row.answer;
  return (daemon, params, ctx) => runCommand(daemon, { action: name, ...row }, params, ctx);
}

/**
 * @param {Daemon} daemon
 * @param {{name: string, row: CommandRow, params: Record<string, any> | null}} command params null: they are not valid
 * @param {RequestContext<any>} ctx
 * @param {() => Promise<any>} run
 */
async function logged(daemon, { name, row, params }, { peer }, run) {
  const { log, features } = daemon;
  const by = await senderOf(peer);
  const described = params && describeRequest(daemon, name, row, params);
  const request = { command: name, apps: [], params: {}, ...described, by };
  const from = `${by.role} ${peer.version}`;
  log.info('command', { method: name, from, apps: request.apps, ...request.params, by });
  const changes = params?.dryRun !== true;
  if (changes) features.ask('asked', request);
  try {
    return await authors.run(by, run);
  } catch (thrown) {
    const { code, message } = NodeclusterError.from(thrown);
    const reason = maskText(shortText(message, MAX_REASON));
    log.warn('command.refused', { method: name, code, reason });
    if (changes) features.ask('asked', { ...request, refused: code });
    throw thrown;
  }
}

/**
 * An app keeps the environment of the shell that started it; what a command sends is put over it, as PM2 does: a
 * deploy's shell without the PORT of the first start must not move the app.
 * @param {Action<Replacement>} action
 * @returns {Action<Omit<Replacement, 'spec'> & {updateEnv?: Record<string, string> | null}>}
 */
function withEnv(action) {
  return async (daemon, app, { updateEnv, ...order }, report) => {
    const current = order.slots === null ? await resolveAgain(app.spec) : app.spec;
    const merged = updateEnv && { ...current.shellEnv, ...updateEnv };
    const spec = merged ? { ...current, shellEnv: shellEnvFor(merged, current.uid) } : current;
    return action(daemon, app, { ...order, spec }, report);
  };
}

/** `start all` after `kill`: what ran, not what was stopped before. @param {Daemon} daemon @param {string[]} selectors */
function targetsToResume(daemon, selectors) {
  const remembers = daemon.table.all().some(({ killed }) => killed);
  return remembers && selectors.join() === 'all'
    ? targetsToResurrect(daemon)
    : resolveTargets(daemon, selectors);
}

/**
 * Includes what runs, since after a reboot the daemon may still be starting it; without workers that were stopped
 * singly.
 * @param {Daemon} daemon @returns {Target[]}
 */
function targetsToResurrect({ table }) {
  const apps = table.all().filter(({ killed, stopped }) => killed || !stopped);
  return apps.map((app) => {
    const slots = app.slots.filter((slot) => !app.stoppedSlots.includes(slot));
    return { app, currentSlots: () => (app.stoppedSlots.length === 0 ? null : slots) };
  });
}

/** @param {Target[]} targets @param {DaemonMethods['scale']['params']} order @param {Daemon} daemon */
function checkScale(targets, { selector, instances }, { features }) {
  if (targets.length !== 1 || targets[0].currentSlots() !== null) {
    const detail = `Cannot scale ${selector}: scale takes one app, not a worker or several apps`;
    throw usageError('scale', detail, 'Name one app: `nodecluster scale api 4`.');
  }
  const { spec, count } = scaledTo(targets[0].app, instances);
  features.check(targets[0].app, 'scale', { spec });
  const { name, execMode, modeReason: reason, incrementVar } = spec;
  if (execMode === 'fork' && reason !== null && incrementVar === null && count !== 1) {
    throw new NodeclusterError('E_SCALE_FORK', { app: name, reason });
  }
}

/** The workers of an app may share their log files. @param {Target[]} targets */
function refuseSingleWorkers(targets) {
  const part = targets.find(({ currentSlots }) => currentSlots() !== null);
  if (part)
    throw usageError('flush', `Cannot flush a single worker of ${part.app.name}: name the app`);
}
