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
  byOptionKey,
  checkOptions,
  instances,
  read,
  readSelectors,
} from './arguments.js';
import { featureCalls } from '../features/api.js';
import { rollingOf } from '../features/reload.js';
import { fetchChangedSpecs } from './specs.js';
import { homeFinder, connectToDaemon, findDaemon } from './find-daemon.js';
import { waitForExit } from './recorded-apps.js';
import { startDaemon } from './launch-daemon.js';
import { METRIC_FIELDS, renderMetrics } from '../show/metrics.js';
import { fetchDescriptions, selectorsFor } from './selectors.js';
import { programInstead } from './start-target.js';
import { openEvents, openLogs } from './streams.js';
import { currentPlace, loadApplyParams, readApps, resolveSettings, targetOf } from './targets.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { Stream } from './streams.js'
 * @import { FeatureCalls } from '../features/record.js'
 * @import { ChangeOptions, Nodecluster, ReloadOptions } from './types.js'
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
    const calls = featureCalls({
      select: (...given) => this.#select(...given),
      resolve: (words) => this.#resolve(words),
      request: (method, params) => this.#request(method, params),
    });
    Object.assign(this, calls);
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

  /** @param {unknown} target @param {object} [options] */
  async start(target, options = {}) {
    const apps = readApps(target, options);
    if (apps) return this.#command('start', { specs: resolveSettings(apps, this.#warn) });
    return this.#onTarget('start', target, options).catch((error) => {
      const found = programInstead(error, [target].flat().map(String), currentPlace());
      if (found.kind === 'file') return this.#onTarget('start', found.file, options);
      return this.#command('start', { specs: resolveSettings([found.program], this.#warn) });
    });
  }

  stop = this.#ofApps('stop');
  delete = this.#ofApps('delete');
  reset = this.#ofApps('reset');
  flush = this.#ofApps('flush');
  reloadLogs = this.#ofApps('reload-logs', 'reloadLogs');

  /** @type {Nodecluster['restart']} */
  async restart(target, options = {}) {
    return this.#onTarget('restart', target, options);
  }

  /** @type {Nodecluster['reload']} */
  async reload(target, options = {}) {
    return this.#onTarget('reload', target, options);
  }

  /** @type {Nodecluster['apply']} */
  async apply(path, options = {}) {
    read('the file of apply()', aPath, path);
    const params = await loadApplyParams(path, checkOptions('apply', options), this.#warn);
    return this.#command('apply', { ...params, action: 'apply', ...rollingOf(options) });
  }

  /** @type {Nodecluster['plan']} */
  async plan(path, options = {}) {
    read('the file of plan()', aPath, path);
    const params = await loadApplyParams(path, checkOptions('plan', options), this.#warn);
    const request = { ...params, action: /** @type {const} */ ('apply'), dryRun: true };
    const { plan, unlisted } = await this.#request('apply', request);
    return { plan, unlisted };
  }

  /** @type {Nodecluster['scale']} */
  async scale(app, count) {
    const selector = String(read('the target of scale()', anApp, app));
    read('the number of instances of scale()', instances, count);
    return this.#command('scale', { selector, instances: String(count) });
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
  resurrect() {
    return this.#command('resurrect', {});
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

  /**
   * @param {'start' | 'restart' | 'reload'} action
   * @param {unknown} given @param {ReloadOptions & ChangeOptions} options
   */
  async #onTarget(action, given, options) {
    const target = targetOf(action, given, options);
    const { updateEnv, settings } = options;
    const rolling = rollingOf(options);
    if (target.kind === 'file') {
      const params = await loadApplyParams(target.file, options, this.#warn);
      return this.#command('apply', { ...params, action, ...rolling });
    }
    const selectors = await this.#resolve(target.selectors);
    if (settings && action !== 'start') return this.#change(action, selectors, settings, options);
    const method = action === 'start' ? 'resume' : action;
    const env = updateEnv ? process.env : null;
    return this.#command(method, { selectors, updateEnv: env, ...rolling });
  }

  /**
   * @param {'reload' | 'restart'} action @param {string[]} selectors @param {object} given settings
   * @param {ReloadOptions & ChangeOptions} options
   */
  async #change(action, selectors, given, options) {
    const change = { command: action, settings: byOptionKey(given), cwd: currentPlace().cwd };
    const { specs, warnings } = await fetchChangedSpecs(this.#client, selectors, change);
    warnings.forEach(this.#warn);
    const bare = specs.map((spec) => ({ ...spec, shellEnv: undefined }));
    const order = { action, updateEnv: options.updateEnv ?? false, ...rollingOf(options) };
    return this.#command('apply', { specs: bare, shellEnv: process.env, ...order });
  }

  /**
   * @param {'stop' | 'delete' | 'reset' | 'flush' | 'reload-logs'} method that does the same to every app
   * @param {string} [call]
   */
  #ofApps(method, call = method) {
    return async (/** @type {unknown} */ target) =>
      this.#command(method, { selectors: await this.#select(call, target) });
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

  /** @template {CommandName} K @param {K} method @param {DaemonMethods[K]['params']} params */
  async #command(method, params) {
    return (await this.#request(method, params)).apps;
  }

  /** @template {keyof DaemonMethods} K @param {K} method @param {DaemonMethods[K]['params']} params */
  async #request(method, params) {
    await this.#opened;
    return this.#client.request(method, params);
  }
}
