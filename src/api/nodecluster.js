/** `import { connect } from 'nodecluster'`: what the commands do, for programs. docs/api.md */
import path from 'node:path';
import { NodeclusterError } from '../errors/error.js';
import { ensureHome, resolveHome } from '../shared/home.js';
import { EventStream } from './event-stream.js';
import { findDaemon, startDaemon } from './find-daemon.js';
import { areSettings, fileIn, paramsOfFile, specsOf } from './wanted.js';

/**
 * @import { CommandName, DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { NotificationListener } from '../protocol/wire.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { Nodecluster, ReloadOptions, Selectors } from './types.js'
 */

export { NodeclusterError };

const ROLE = 'program';

/** @type {typeof import('./types.js').connect} */
export async function connect({ home = resolveHome(process.env), start = true } = {}) {
  const paths = ensureHome(path.resolve(home));
  let client = await findDaemon(paths, ROLE);
  if (!client && start) client = await startDaemon(paths, process.env);
  if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: paths.home });
  return new Connection(paths, client);
}

/** @implements {Nodecluster} */
class Connection {
  #paths;
  #client;
  /** @type {Set<EventStream>} */
  #streams = new Set();
  /** Streams that do not listen yet: what is asked for next shall be heard by them. */
  #opening = Promise.resolve();

  /**
   * @param {HomePaths} paths
   * @param {DaemonClient} client
   */
  constructor(paths, client) {
    this.#paths = paths;
    this.#client = client;
  }

  /** @type {Nodecluster['list']} */
  async list({ telemetry = false } = {}) {
    return (await this.#ask('list', { telemetry })).apps;
  }

  /** @type {Nodecluster['start']} */
  async start(target, options = {}) {
    if (areSettings(target)) return this.#command('start', { specs: specsOf(target) });
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
    return (await this.#ask('send', { selectors: [selectors].flat(), message })).apps;
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
    const opened = listen(this.#paths, [selectors].flat(), stream, (own) => {
      client = own;
      if (!this.#streams.has(stream)) own.close();
    });
    this.#opening = Promise.all([this.#opening, opened]).then(() => {});
    return stream;
  }

  close() {
    for (const stream of this.#streams) stream.end();
    this.#client.close();
  }

  /**
   * @param {'start' | 'restart' | 'reload'} action for what a file says
   * @param {'resume' | 'restart' | 'reload'} method for what selectors name
   * @param {string | string[]} target
   * @param {ReloadOptions} options
   */
  async #onTarget(action, method, target, options) {
    const { parallel, onFailure, updateEnv } = options;
    const file = fileIn(target);
    if (file !== null) {
      const params = await paramsOfFile(file, options);
      return this.#command('apply', { action, parallel, onFailure, ...params });
    }
    const env = updateEnv ? process.env : null;
    const selectors = [target].flat();
    return this.#command(method, { selectors, updateEnv: env, parallel, onFailure });
  }

  /**
   * @template {CommandName} K
   * @param {K} method
   * @param {DaemonMethods[K]['params']} params
   */
  async #command(method, params) {
    return (await this.#ask(method, params)).apps;
  }

  /**
   * @template {keyof DaemonMethods} K
   * @param {K} method
   * @param {DaemonMethods[K]['params']} params
   */
  async #ask(method, params) {
    await this.#opening;
    return this.#client.request(method, params);
  }
}

/**
 * A stream has a connection of its own, so that who leaves it ends it.
 * @param {HomePaths} paths
 * @param {string[]} selectors
 * @param {EventStream} stream
 * @param {(client: DaemonClient) => void} onClient
 * @returns {Promise<void>} when it listens, or has failed
 */
async function listen(paths, selectors, stream, onClient) {
  try {
    const client = await findDaemon(paths, ROLE);
    if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: paths.home });
    onClient(client);
    await new Promise((resolve) => {
      /** @type {NotificationListener<DaemonMethods['events']['notifications']>} */
      const onNotification = (kind, payload) => {
        if (kind === 'event') stream.push(payload);
        else resolve(null);
      };
      client.request('events', { selectors }, { onNotification }).catch((error) => {
        stream.end(error);
        resolve(null);
      });
    });
  } catch (error) {
    stream.end(/** @type {Error} */ (error));
  }
}
