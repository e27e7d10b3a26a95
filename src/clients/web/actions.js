/** Carries out what somebody asked for on the page. Its steps and its outcome go to every page. */
import { connectToDaemon } from '../../api/find-daemon.js';
import { NodeclusterError } from '../../errors/error.js';
import { Refusal } from './respond.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/event.js';
import { ROLE } from './daemon.js';

/**
 * @import { DaemonClient, DaemonMethods, CommandName } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { Live } from './live.js'
 * @import { Action, StreamEvents } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { App } from '../../protocol/shapes.js'
 */

const MAX_RUNNING = 20;
const READ_ONLY = 'This page only shows: `nodecluster web` was started with --read-only.';

export class Actions {
  #paths;
  #live;
  #lastId = 0;
  #running = 0;

  /** @param {HomePaths} paths @param {Live} live */
  constructor(paths, live) {
    this.#paths = paths;
    this.#live = live;
  }

  /**
   * @param {Record<string, unknown>} body of the request
   * @returns {Promise<number>} the id of the action, which has begun
   * @throws {Refusal | NodeclusterError}
   */
  async begin(body) {
    if (this.#live.state.isReadOnly) throw new Refusal(403, READ_ONLY);
    if (this.#running >= MAX_RUNNING) {
      throw new Refusal(429, `${MAX_RUNNING} actions are running. Wait until one has ended.`);
    }
    this.#running += 1;
    const id = (this.#lastId += 1);
    /** @type {DaemonClient | null} */
    let client = null;
    try {
      client = await connectToDaemon(this.#paths, ROLE);
      const { apps } = await client.request('list', {});
      this.#carryOut(client, id, readAction(body, apps));
      return id;
    } catch (error) {
      this.#end(client);
      throw error;
    }
  }

  /** @param {DaemonClient} client @param {number} id @param {Order} order */
  async #carryOut(client, id, { action, method, params, targets }) {
    const begun = {
      id,
      action,
      targets,
      startedAt: Date.now(),
      text: `${action} ${targets.join(', ')}`,
    };
    this.#live.showAction(begun);
    /** @type {NotificationListener<DaemonMethods['apply']['notifications']>} */
    const onNotification = (kind, payload) => {
      if (kind !== 'progress') return;
      const text = renderProgress(payload);
      this.#live.showAction({ ...begun, text });
      this.#live.send('progress', { ...payload, action: id, text });
    };
    try {
      const { apps } = await client.request(method, params, { onNotification });
      const text = apps.map((outcome) => renderOutcome(outcome)).join('\n');
      const ok = apps.every((outcome) => outcome.ok);
      this.#show(begun, { action: id, ok, apps, text });
    } catch (thrown) {
      this.#show(begun, failureOf(id, method, thrown));
    } finally {
      this.#end(client);
    }
  }

  /** @param {Action} begun @param {StreamEvents['outcome']} outcome */
  #show(begun, outcome) {
    const { ok, text } = outcome;
    this.#live.showAction({ ...begun, text, ok, endedAt: Date.now() });
    this.#live.send('outcome', outcome);
  }

  /** @param {DaemonClient | null} client */
  #end(client) {
    this.#running -= 1;
    client?.close();
  }
}

/** @param {number} action @param {string} method @param {unknown} thrown @returns {StreamEvents['outcome']} */
function failureOf(action, method, thrown) {
  const error = NodeclusterError.from(thrown);
  const isLost = error.code === 'E_PROTOCOL_CLOSED';
  const { code, message, hint } = isLost
    ? new NodeclusterError('E_DAEMON_LOST', { method })
    : error;
  const text = [message, hint].filter(Boolean).join(' ');
  return { action, ok: false, error: { code, message, ...(hint && { hint }) }, text };
}

/**
 * @typedef {object} Order
 * @property {string} action
 * @property {CommandName} method
 * @property {DaemonMethods[CommandName]['params']} params
 * @property {string[]} targets names of apps, or of workers: `api:0`
 */

/** @type {CommandName[]} */
const OF_WORKERS = ['resume', 'stop', 'restart', 'reload', 'reset'];
/** @type {CommandName[]} */
const OF_APPS = ['scale', 'run-now', 'flush', 'delete'];
const MAX_TARGETS = 100;
const COUNT = /^(?:[+-]?\d{1,4}|max)$/;

/**
 * What the page may ask of the daemon, as the request that the daemon gets. Pure.
 * @param {Record<string, unknown>} body of the request
 * @param {App[]} apps that there are
 * @returns {Order}
 * @throws {Refusal}
 */
export function readAction({ action, targets, options = {} }, apps) {
  const method = [...OF_WORKERS, ...OF_APPS].find((each) => actionOf(each) === action);
  if (method === undefined) {
    const known = [...OF_WORKERS, ...OF_APPS].map(actionOf).join(', ');
    throw new Refusal(400, `The action must be one of ${known}.`);
  }
  if (
    !Array.isArray(targets) ||
    !targets.every(isTarget) ||
    targets.length === 0 ||
    targets.length > MAX_TARGETS
  ) {
    throw new Refusal(
      400,
      `The targets must be a list of 1 to ${MAX_TARGETS} names or worker ids.`,
    );
  }
  const names = targets.map((target) => nameOf(target, apps, OF_WORKERS.includes(method)));
  const given = /** @type {Record<string, unknown>} */ (Object(options));
  const params = paramsOf(method, names, given);
  return { action: actionOf(method), method, params, targets: names };
}

/** @param {CommandName} method */
function actionOf(method) {
  return method === 'resume' ? 'start' : method;
}

/** @param {unknown} target @returns {target is string | number} the name of an app, or the id of a worker */
function isTarget(target) {
  return typeof target === 'string' || typeof target === 'number';
}

/** @param {string | number} target @param {App[]} apps @param {boolean} takesWorkers */
function nameOf(target, apps, takesWorkers) {
  const app = apps.find(({ name }) => name === target);
  if (app) return app.name;
  for (const { name, workers } of takesWorkers ? apps : []) {
    const worker = workers.find(({ id }) => id === target);
    if (worker) return `${name}:${worker.slot}`;
  }
  throw new Refusal(404, `There is no app ${takesWorkers ? 'or worker ' : ''}${target}.`);
}

/** @param {CommandName} method @param {string[]} selectors @param {Record<string, unknown>} options */
function paramsOf(method, selectors, { instances, parallel }) {
  if (method !== 'scale') {
    const isRolling = method === 'reload' && Number.isInteger(parallel) && Number(parallel) > 0;
    return { selectors, ...(isRolling && { parallel: Number(parallel) }) };
  }
  if (selectors.length > 1) throw new Refusal(400, 'Only one app can be scaled at a time.');
  if (typeof instances !== 'string' || !COUNT.test(instances)) {
    throw new Refusal(400, 'The number of instances must be like 4, +2, -1 or max.');
  }
  return { selector: selectors[0], instances };
}
