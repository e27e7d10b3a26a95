/** `import { connect } from 'nodecluster'`: the commands for programs. See docs/reference/api.md. */
import { NodeclusterError } from '../errors/error.js';
import { ensureHome, homePaths, isHomePresent, resolveHome } from '../shared/home.js';
import { identify } from '../shared/processes/identity.js';
import { VERSION } from '../shared/version.js';
import {
  aMessage,
  aSignal,
  aString,
  aTarget,
  aText,
  anObject,
  byOptionKey,
  checkOptions,
  instances,
  read,
  readSelectors,
} from './arguments.js';
import { featureCalls } from '../features/api.js';
import { fromOptions } from '../features/reload.js';
import { askDaemon, connectToDaemon, findDaemon, finderOf, homeFinder } from './find-daemon.js';
import { waitForExit } from './recorded-apps.js';
import { startDaemon, updateDaemon } from './launch-daemon.js';
import { METRIC_FIELDS, renderMetrics } from '../show/metrics.js';
import { applyFile, replaceWorkers } from './replace.js';
import { commandApps, currentPlace, fetchDescriptions, selectorsFor } from './selectors.js';
import { start, startSpecs } from './start.js';
import { namesFor, specsOf } from './specs.js';
import { openEvents, openLogs } from './streams.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { Stream } from './streams.js'
 * @import { Caller, Order, Result } from './replace.js'
 * @import { Program } from './start.js'
 * @import { ChangeOptions, ConnectOptions, Nodecluster, ReloadOptions } from './types.js'
 */

export { reasonText } from '../show/reason.js';
export { NodeclusterError };

/** @typedef {ReloadOptions & ChangeOptions} Options */
/** @typedef {(caller: Caller, words: string[], order: Order) => Promise<Result>} CarryOut */

const ROLE = 'program';

/** @type {typeof import('./types.js').connect} */
export async function connect(options = {}) {
  const findHome = await homeFinder(process.env);
  const checked = checkOptions('connect', options);
  const { home = findHome(), start = true } = checked;
  const directory = resolveHome({ NODECLUSTER_HOME: home });
  if (!start && !isHomePresent(homePaths(directory).primariesDir)) {
    throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: directory });
  }
  const paths = ensureHome(directory);
  const client = start
    ? ((await findDaemon(paths, ROLE)) ?? (await startDaemon(paths, process.env)))
    : await connectToDaemon(paths, ROLE);
  return callsOf(new Connection(paths, client, checked));
}

class Connection {
  /** @type {Set<Stream>} */
  #streams = new Set();

  /** @param {HomePaths} paths @param {DaemonClient} client @param {ConnectOptions} options */
  constructor(paths, client, { onWarning = () => {}, onProgress = () => {} }) {
    this.paths = paths;
    this.client = client;
    this.warn = onWarning;
    this.onProgress = onProgress;
  }

  /** Streams that were opened before a request miss nothing of what it causes. */
  open = async () => {
    await Promise.allSettled([...this.#streams].map(({ opened }) => opened));
    return this.client;
  };

  /** @type {DaemonClient['request']} */
  request = async (method, params) => this.send(await this.open(), method, params);

  /** @type {Caller['request']} */
  send = (client, method, params) => {
    const onNotification = (/** @type {string} */ kind, /** @type {any} */ payload) =>
      // What it throws is not the fault of the connection.
      kind === 'progress' && queueMicrotask(() => this.onProgress(payload));
    return client.request(method, params, /** @type {any} */ ({ onNotification }));
  };

  /** @param {string} call @param {unknown} target */
  select = async (call, target) => {
    const words = readSelectors(call, target);
    return selectorsFor(currentPlace(), await this.open(), words);
  };

  /** @param {string} command @returns {Caller} */
  callerOf(command) {
    return {
      command,
      ...currentPlace(),
      stdin: process.stdin,
      withStdoutOnStderr: (work) => work(),
      daemons: { home: this.paths.home, start: this.open },
      openForApps: this.open,
      request: this.send,
      warn: (warnings) => warnings.forEach(this.warn),
      note: () => {},
    };
  }

  /** @param {string} call @param {unknown} target @param {Options} options @param {CarryOut} carryOut */
  async toTarget(call, target, options, carryOut) {
    const order = orderOf(checkOptions(call, options));
    const words = readSelectors(call, target);
    // Only at a terminal does no target mean the ecosystem file of the directory.
    if (words.length === 0) return [];
    return (await carryOut(this.callerOf(call), words, order)).apps;
  }

  /** @template {Stream} T @param {T} stream */
  keep(stream) {
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
    return stream;
  }

  close() {
    for (const stream of this.#streams) stream.end();
    this.client.close();
  }
}

/** @param {Connection} connection @returns {Nodecluster} */
function callsOf(connection) {
  const { request } = connection;
  const close = () => connection.close();
  return {
    get version() {
      return { client: VERSION, daemon: connection.client.peer.version };
    },
    ping: () => request('ping', {}),
    ...lookingCalls(connection),
    ...changingCalls(connection),
    ...featureCalls(connection),
    ...callsOfPrograms(connection),
    async update(options = {}) {
      const { apps = false } = checkOptions('update', options);
      const { paths, client } = connection;
      const replace = (/** @type {DaemonClient} */ own) => updateDaemon(paths, process.env, own);
      const { before, after } = await askDaemon(paths, ROLE, replace);
      if (after.daemon.pid !== before.pid) {
        connection.client = await connectToDaemon(paths, ROLE);
        client.close();
      }
      const replaced = apps ? (await request('update-apps', {})).apps : [];
      return { before, after: after.daemon, apps: replaced };
    },
    async kill() {
      const daemon = identify(connection.client.peer.pid);
      const { apps } = await request('kill', {});
      close();
      await waitForExit(daemon);
      return apps;
    },
    resurrect: async () => (await request('resurrect', {})).apps,
    close,
    [Symbol.dispose]: close,
    [Symbol.asyncDispose]: async () => close(),
  };
}

/** @param {Connection} connection */
function callsOfPrograms({ select, request }) {
  return /** @satisfies {Partial<Nodecluster>} */ ({
    async send(target, message) {
      const selectors = await select('send', target);
      read('the message of send()', aMessage, message);
      return (await request('send', { selectors, message })).apps;
    },
    async signal(target, signal) {
      const selectors = await select('signal', target);
      read('the signal of signal()', aSignal, signal);
      return (await request('signal', { selectors, signal: String(signal) })).apps;
    },
    async input(target, text) {
      const selectors = await select('input', target);
      read('the text of input()', aText, text);
      await request('input', { selectors, text });
    },
  });
}

/** @param {Connection} connection */
function lookingCalls(connection) {
  const { paths, request, select, warn } = connection;
  return /** @satisfies {Partial<Nodecluster>} */ ({
    async list(options = {}) {
      const { telemetry = false } = checkOptions('list', options);
      return (await request('list', { fields: telemetry ? ['usage', 'vitals'] : ['usage'] })).apps;
    },
    async describe(target) {
      const selectors = await select('describe', target);
      return fetchDescriptions(await connection.open(), selectors, { fields: ['usage', 'vitals'] });
    },
    async env(target, options = {}) {
      const { showSecrets = false } = checkOptions('env', options);
      const selectors = await select('env', target);
      return (await request('env', { selectors, showSecrets })).apps;
    },
    async metrics() {
      return `${renderMetrics(await request('list', { fields: METRIC_FIELDS }))}\n`;
    },
    logs(target = 'all', options = {}) {
      const words = readSelectors('logs', target);
      checkOptions('logs', options);
      const source = { paths, role: ROLE, warn };
      return connection.keep(openLogs(source, words, options));
    },
    events(options = {}) {
      const { selectors = [], since, follow } = checkOptions('events', options);
      const names = readSelectors('events', selectors);
      const when = { since: since?.getTime(), follow };
      return connection.keep(openEvents(finderOf(paths, ROLE), names, when));
    },
  });
}

/** @param {Connection} connection */
function changingCalls(connection) {
  /** @param {string} call @param {CarryOut} carryOut */
  const calling =
    (call, carryOut) =>
    (/** @type {unknown} */ target, /** @type {Options} */ options = {}) =>
      connection.toTarget(call, target, options, carryOut);
  /** @param {'stop' | 'delete' | 'reset' | 'flush'} method that does the same to every app */
  const toApps = (method) =>
    calling(method, async (caller, words, order) =>
      commandApps(caller, method, await namesFor(caller, words, order), {}),
    );
  /** @param {'restart' | 'reload'} action */
  const replace = (action) =>
    calling(action, (caller, words, order) => replaceWorkers(caller, action, words, order));
  return /** @satisfies {Partial<Nodecluster>} */ ({
    start: (/** @type {unknown} */ target, /** @type {any} */ options = {}) =>
      startTarget(connection, target, options),
    stop: toApps('stop'),
    delete: toApps('delete'),
    reset: toApps('reset'),
    flush: toApps('flush'),
    restart: replace('restart'),
    reload: replace('reload'),
    async apply(file, options = {}) {
      return (await bringInLine(connection, 'apply', file, options)).apps;
    },
    async plan(file, options = {}) {
      const { plan, unlisted } = await bringInLine(connection, 'plan', file, options);
      return { plan, unlisted };
    },
    async scale(app, count) {
      const selector = String(read('the target of scale()', aTarget, app));
      read('the number of instances of scale()', instances, count);
      return (await connection.request('scale', { selector, instances: String(count) })).apps;
    },
  });
}

/** @param {Connection} connection @param {unknown} target @param {any} options which may be settings */
async function startTarget(connection, target, options) {
  const apps = [target].flat();
  if (apps.every((each) => typeof each === 'object' && each !== null)) {
    const caller = connection.callerOf('start');
    return (await startSpecs(caller, specsOf(apps, caller.warn), {})).apps;
  }
  read('the settings of start()', anObject, options);
  const { only, prune, updateEnv, ...given } = options;
  const { env, ...others } = given;
  const isName = typeof env === 'string';
  const order = { only, prune, updateEnv, ...(isName && { env }) };
  const settings = isName ? others : given;
  return connection.toTarget('start', target, order, (caller, words, checked) => {
    const toSpecs = (/** @type {Program[]} */ programs) => {
      const own = programs.map((each) => ({ ...each, ...settings, script: each.script }));
      return specsOf(own, caller.warn);
    };
    return start(caller, words, { ...checked, settings: byOptionKey(settings), toSpecs });
  });
}

/** @param {Connection} connection @param {'apply' | 'plan'} call @param {string} file @param {ReloadOptions} options */
function bringInLine(connection, call, file, options) {
  read(`the file of ${call}()`, aString, file);
  const { how, ...others } = orderOf(checkOptions(call, options));
  /** @type {Parameters<typeof applyFile>[2]} */
  const order = { ...others, action: 'apply', how: { ...how, dryRun: call === 'plan' } };
  return applyFile(connection.callerOf(call), file, order);
}

/** @param {Options} options @returns {Order} */
function orderOf({ env, only, prune, updateEnv, settings, parallel, onFailure, ...added }) {
  const how = { prune, parallel, onFailure, ...fromOptions(added) };
  return { env, only, prune, updateEnv, how, settings: byOptionKey(settings ?? {}) };
}
