/** `import { connect } from 'nodecluster'`: the commands for programs. See docs/reference/api.md. */
import { NodeclusterError } from '../errors/error.js';
import { ensureHome, resolveHome } from '../shared/home.js';
import { identify } from '../shared/processes/identity.js';
import { VERSION } from '../shared/version.js';
import {
  aMessage,
  aPath,
  aText,
  anApp,
  anObject,
  byOptionKey,
  checkOptions,
  instances,
  read,
  readSelectors,
} from './arguments.js';
import { featureCalls } from '../features/api.js';
import { fromOptions } from '../features/reload.js';
import { homeFinder, connectToDaemon, findDaemon } from './find-daemon.js';
import { waitForExit } from './recorded-apps.js';
import { startDaemon } from './launch-daemon.js';
import { METRIC_FIELDS, renderMetrics } from '../show/metrics.js';
import { applyFile, replaceWorkers } from './replace.js';
import { commandApps, currentPlace, fetchDescriptions, selectorsFor } from './selectors.js';
import { start, startSpecs } from './start.js';
import { namesFor, specsOf } from './specs.js';
import { openEvents, openLogs } from './streams.js';

/**
 * @import { DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { Stream } from './streams.js'
 * @import { FeatureCalls } from '../features/record.js'
 * @import { Caller, Order, Result } from './replace.js'
 * @import { Program } from './start.js'
 * @import { ChangeOptions, FileOptions, Nodecluster, ReloadOptions } from './types.js'
 */

export { NodeclusterError };

const ROLE = 'program';

/** @type {typeof import('./types.js').connect} */
export async function connect(options = {}) {
  const findHome = await homeFinder(process.env);
  const { home = findHome(), start = true } = checkOptions('connect', options);
  const paths = ensureHome(resolveHome({ NODECLUSTER_HOME: home }));
  const client = start
    ? ((await findDaemon(paths, ROLE)) ?? (await startDaemon(paths, process.env)))
    : await connectToDaemon(paths, ROLE);
  const connection = new Connection(paths, client, options.onWarning ?? (() => {}));
  return /** @type {Connection & FeatureCalls} */ (connection);
}

/** @implements {Omit<Nodecluster, keyof FeatureCalls>} */
class Connection {
  #paths;
  #client;
  #warn;
  /** @type {Set<Stream<unknown>>} */
  #streams = new Set();
  /** Requests wait for this, so that streams opened before them miss nothing. */
  #opened = Promise.resolve();

  /** @param {HomePaths} paths @param {DaemonClient} client @param {(text: string) => void} warn */
  constructor(paths, client, warn) {
    this.#paths = paths;
    this.#client = client;
    this.#warn = warn;
    const select = this.#select.bind(this);
    const resolve = this.#resolve.bind(this);
    Object.assign(this, featureCalls({ select, resolve, request: this.#request.bind(this) }));
  }

  get version() {
    return { client: VERSION, daemon: this.#client.peer.version };
  }

  /** @type {Nodecluster['ping']} */
  ping() {
    return this.#request('ping', {});
  }

  /** @type {Nodecluster['list']} */
  async list(options = {}) {
    const { telemetry = false } = checkOptions('list', options);
    const { apps } = await this.#request('list', {
      fields: telemetry ? ['usage', 'vitals'] : ['usage'],
    });
    return apps;
  }

  /** @type {Nodecluster['describe']} */
  async describe(target) {
    const selectors = await this.#select('describe', target);
    return fetchDescriptions(this.#client, selectors, { fields: ['usage', 'vitals'] });
  }

  /** @type {Nodecluster['env']} */
  async env(target, options = {}) {
    const { showSecrets = false } = checkOptions('env', options);
    const selectors = await this.#select('env', target);
    return (await this.#request('env', { selectors, showSecrets })).apps;
  }

  /** @type {Nodecluster['metrics']} */
  async metrics() {
    return `${renderMetrics(await this.#request('list', { fields: METRIC_FIELDS }))}\n`;
  }

  /** @param {unknown} target @param {any} [options] which may be settings */
  async start(target, options = {}) {
    const apps = [target].flat();
    const caller = this.#caller('start');
    if (apps.every((each) => typeof each === 'object' && each !== null))
      return (await startSpecs(caller, specsOf(apps, caller.warn), {})).apps;
    read('the settings of start()', anObject, options);
    const { only, prune, updateEnv, ...given } = options;
    const { env, ...others } = given;
    const isName = typeof env === 'string';
    const order = { only, prune, updateEnv, ...(isName && { env }) };
    const settings = isName ? others : given;
    const toSpecs = (/** @type {Program[]} */ programs) => {
      const own = programs.map((each) => ({ ...each, ...settings, script: each.script }));
      return specsOf(own, caller.warn);
    };
    return this.#toTarget('start', target, order, (words, checked) =>
      start(caller, words, { ...checked, settings: byOptionKey(settings), toSpecs }),
    );
  }

  stop = this.#toApps('stop');
  delete = this.#toApps('delete');
  reset = this.#toApps('reset');
  flush = this.#toApps('flush');
  reloadLogs = this.#toApps('reload-logs', 'reloadLogs');

  restart = this.#replace('restart');
  reload = this.#replace('reload');

  /** @type {Nodecluster['apply']} */
  async apply(path, options = {}) {
    return (await this.#applyFile('apply', path, options)).apps;
  }

  /** @type {Nodecluster['plan']} */
  async plan(path, options = {}) {
    const { plan, unlisted } = await this.#applyFile('plan', path, options);
    return { plan, unlisted };
  }

  /** @type {Nodecluster['scale']} */
  async scale(app, count) {
    const selector = String(read('the target of scale()', anApp, app));
    read('the number of instances of scale()', instances, count);
    return (await this.#request('scale', { selector, instances: String(count) })).apps;
  }

  /** @type {Nodecluster['send']} */
  async send(target, message) {
    const selectors = await this.#select('send', target);
    read('the message of send()', aMessage, message);
    return (await this.#request('send', { selectors, message })).apps;
  }

  /** @type {Nodecluster['input']} */
  async input(target, text) {
    const selectors = await this.#select('input', target);
    read('the text of input()', aText, text);
    await this.#request('input', { selectors, text });
  }

  /** @type {Nodecluster['kill']} */
  async kill() {
    const daemon = identify(this.#client.peer.pid);
    const { apps } = await this.#request('kill', {});
    this.close();
    await waitForExit(daemon);
    return apps;
  }

  /** @type {Nodecluster['save']} */
  async save() {
    return (await this.#request('save', {})).apps;
  }

  /** @type {Nodecluster['resurrect']} */
  async resurrect() {
    return (await this.#request('resurrect', {})).apps;
  }

  /** @type {Nodecluster['logs']} */
  logs(target = 'all', options = {}) {
    const words = readSelectors('logs', target);
    checkOptions('logs', options);
    const source = { paths: this.#paths, role: ROLE, warn: this.#warn };
    const logs = openLogs(source, words, options, () => this.#streams.delete(logs));
    return this.#add(logs);
  }

  /** @type {Nodecluster['events']} */
  events(options = {}) {
    const { selectors = [] } = checkOptions('events', options);
    const names = readSelectors('events', selectors);
    const connecting = connectToDaemon(this.#paths, ROLE);
    const events = openEvents(connecting, names, () => this.#streams.delete(events));
    return this.#add(events);
  }

  close() {
    for (const stream of this.#streams) stream.end();
    this.#client.close();
  }

  [Symbol.dispose] = () => this.close();

  [Symbol.asyncDispose] = async () => this.close();

  /** @template T @param {Stream<T>} stream */
  #add(stream) {
    this.#streams.add(stream);
    const settled = stream.opened.catch(() => {}); // thrown to the reader of the stream
    this.#opened = Promise.all([this.#opened, settled]).then(() => {});
    return stream;
  }

  /** @param {'restart' | 'reload'} action */
  #replace(action) {
    return (
      /** @type {unknown} */ target,
      /** @type {ReloadOptions & ChangeOptions} */ options = {},
    ) =>
      this.#toTarget(action, target, options, (words, order) =>
        replaceWorkers(this.#caller(action), action, words, order),
      );
  }

  /** @param {'apply' | 'plan'} call @param {string} file @param {ReloadOptions} options */
  #applyFile(call, file, options) {
    read(`the file of ${call}()`, aPath, file);
    const { how, ...others } = orderOf(checkOptions(call, options));
    /** @type {Parameters<typeof applyFile>[2]} */
    const order = { ...others, action: 'apply', how: { ...how, dryRun: call === 'plan' } };
    return applyFile(this.#caller(call), { kind: 'file', file }, order);
  }

  /**
   * @param {'stop' | 'delete' | 'reset' | 'flush' | 'reload-logs'} method that does the same to every app
   * @param {string} [call]
   */
  #toApps(method, call = method) {
    return (/** @type {unknown} */ target, /** @type {FileOptions} */ options = {}) =>
      this.#toTarget(call, target, options, async (words, order) => {
        const caller = this.#caller(call);
        return commandApps(caller, method, await namesFor(caller, words, order), {});
      });
  }

  /**
   * @param {string} call
   * @param {unknown} target
   * @param {ReloadOptions & ChangeOptions} options
   * @param {(words: string[], order: Order) => Promise<Result>} carryOut
   */
  async #toTarget(call, target, options, carryOut) {
    const order = orderOf(checkOptions(call, options));
    const words = readSelectors(call, target);
    // Only at a terminal does no target mean the ecosystem file of the directory.
    return words.length === 0 ? [] : (await carryOut(words, order)).apps;
  }

  /** @param {string} command @returns {Caller} */
  #caller(command) {
    const open = async () => {
      await this.#opened;
      return this.#client;
    };
    return {
      command,
      ...currentPlace(),
      stdin: process.stdin,
      withStdoutOnStderr: (work) => work(),
      daemons: { home: this.#paths.home, start: open },
      openForApps: open,
      request: (client, method, params) => client.request(method, params),
      warn: (warnings) => warnings.forEach(this.#warn),
      note: () => {},
    };
  }

  /** @param {string} call @param {unknown} target */
  async #select(call, target) {
    return this.#resolve(readSelectors(call, target));
  }

  /** @param {string[]} words */
  async #resolve(words) {
    await this.#opened;
    return selectorsFor(currentPlace(), this.#client, words);
  }

  /** @template {keyof DaemonMethods} K @param {K} method @param {DaemonMethods[K]['params']} params */
  async #request(method, params) {
    await this.#opened;
    return this.#client.request(method, params);
  }
}

/** @param {ReloadOptions & ChangeOptions} options @returns {Order} */
function orderOf({ env, only, prune, updateEnv, settings, parallel, onFailure, ...added }) {
  const how = { prune, parallel, onFailure, ...fromOptions(added) };
  return { env, only, prune, updateEnv, how, settings: byOptionKey(settings ?? {}) };
}
