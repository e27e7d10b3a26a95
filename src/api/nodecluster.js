/** `import { connect } from 'nodecluster'`: the commands for programs. See docs/api.md. */
import path from 'node:path';
import { NodeclusterError } from '../errors/error.js';
import { ensureHome, resolveHome } from '../shared/home.js';
import { EventStream } from './event-stream.js';
import { findDaemon, startDaemon } from './find-daemon.js';
import { ecosystemFileOf, isSettings, loadApplyParams, resolveSettings } from './specs.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { Nodecluster, ReloadOptions } from './types.js'
 */

export { NodeclusterError };

const ROLE = 'program';

/** @type {typeof import('./types.js').connect} */
export async function connect({ home = resolveHome(process.env), start = true } = {}) {
  const paths = ensureHome(path.resolve(home));
  let client = await findDaemon(paths, ROLE);
  if (!client && start) client = await startDaemon(paths, process.env);
  if (!client) throw notRunning(paths);
  return new Connection(paths, client);
}

/** @implements {Nodecluster} */
class Connection {
  #paths;
  #client;
  /** @type {Set<EventStream>} */
  #streams = new Set();
  /** Requests wait for this, so that streams opened before them receive their events. */
  #subscribed = Promise.resolve();

  /** @param {HomePaths} paths @param {DaemonClient} client */
  constructor(paths, client) {
    this.#paths = paths;
    this.#client = client;
  }

  /** @type {Nodecluster['list']} */
  async list({ telemetry = false } = {}) {
    return (await this.#request('list', { telemetry })).apps;
  }

  /** @type {Nodecluster['start']} */
  async start(target, options = {}) {
    if (isSettings(target)) return this.#command('start', { specs: resolveSettings(target) });
    return this.#onTarget('start', 'resume', target, options);
  }

  /** @type {Nodecluster['stop']} */
  stop(selectors) {
    return this.#command('stop', { selectors: [selectors].flat() });
  }

  /** @type {Nodecluster['restart']} */
  restart(target, options = {}) {
    return this.#onTarget('restart', 'restart', target, options);
  }

  /** @type {Nodecluster['reload']} */
  reload(target, options = {}) {
    return this.#onTarget('reload', 'reload', target, options);
  }

  /** @type {Nodecluster['scale']} */
  scale(app, instances) {
    return this.#command('scale', { selector: app, instances: String(instances) });
  }

  /** @type {Nodecluster['delete']} */
  delete(selectors) {
    return this.#command('delete', { selectors: [selectors].flat() });
  }

  /** @type {Nodecluster['send']} */
  async send(selectors, message) {
    return (await this.#request('send', { selectors: [selectors].flat(), message })).apps;
  }

  /** @type {Nodecluster['events']} */
  events({ selectors = [] } = {}) {
    /** @type {DaemonClient | null} */
    let client = null;
    const stream = new EventStream(() => {
      this.#streams.delete(stream);
      client?.close();
    });
    this.#streams.add(stream);
    // A stream has its own connection, so that the daemon notices when the program leaves the loop.
    const subscribed = findDaemon(this.#paths, ROLE)
      .then((found) => {
        client = found;
        if (!client) throw notRunning(this.#paths);
        if (!this.#streams.has(stream)) return client.close();
        return subscribe(client, [selectors].flat(), stream);
      })
      .catch((error) => stream.end(error));
    this.#subscribed = Promise.all([this.#subscribed, subscribed]).then(() => {});
    return stream;
  }

  close() {
    for (const stream of this.#streams) stream.end();
    this.#client.close();
  }

  /**
   * @param {'start' | 'restart' | 'reload'} action for an ecosystem file
   * @param {'resume' | 'restart' | 'reload'} method for selectors
   * @param {string | string[]} target
   * @param {ReloadOptions} options
   */
  async #onTarget(action, method, target, options) {
    const { parallel, onFailure, updateEnv } = options;
    const file = ecosystemFileOf(target);
    if (file !== null) {
      const params = await loadApplyParams(file, options);
      return this.#command('apply', { ...params, action, parallel, onFailure });
    }
    const selectors = [target].flat();
    const env = updateEnv ? process.env : null;
    return this.#command(method, { selectors, updateEnv: env, parallel, onFailure });
  }

  /**
   * @template {CommandName} K
   * @param {K} method
   * @param {DaemonMethods[K]['params']} params
   */
  async #command(method, params) {
    return (await this.#request(method, params)).apps;
  }

  /**
   * @template {keyof DaemonMethods} K
   * @param {K} method
   * @param {DaemonMethods[K]['params']} params
   */
  async #request(method, params) {
    await this.#subscribed;
    return this.#client.request(method, params);
  }
}

/**
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {EventStream} stream
 * @returns {Promise<void>} resolves when the stream is subscribed or has ended
 */
function subscribe(client, selectors, stream) {
  return new Promise((resolve) => {
    const ended = client.request(
      'events',
      { selectors },
      {
        onNotification: (kind, payload) => {
          if (kind === 'event') stream.push(payload);
          else resolve();
        },
      },
    );
    ended.catch((error) => stream.end(error)).finally(resolve);
  });
}

/** @param {HomePaths} paths */
function notRunning({ home }) {
  return new NodeclusterError('E_DAEMON_NOT_RUNNING', { home });
}
