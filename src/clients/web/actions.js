/** Carries out what somebody asked for on the page. Its steps and its outcome go to every page. */
import { NodeclusterError } from '../../errors/error.js';
import { Refusal } from './respond.js';
import { requestFor } from '../../show/confirmed-request.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/event.js';
import { askDaemon } from './daemon.js';

/**
 * @import { Live } from './live.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { App } from '../../protocol/shapes.js'
 */

const MAX_RUNNING = 20;
const READ_ONLY = 'This page only shows: `nodecluster web` was started with --read-only.';

export class Actions {
  #paths;
  #live;
  #running = 0;

  /** @param {HomePaths} paths @param {Live} live */
  constructor(paths, live) {
    this.#paths = paths;
    this.#live = live;
  }

  /** @param {Record<string, unknown>} body of the request @throws {Refusal | NodeclusterError} */
  async begin(body) {
    if (this.#live.state.isReadOnly) throw new Refusal(403, READ_ONLY);
    if (this.#running >= MAX_RUNNING) {
      throw new Refusal(429, `${MAX_RUNNING} actions are running. Wait until one has ended.`);
    }
    this.#running += 1;
    try {
      const { apps } = await askDaemon(this.#paths, (client) => client.request('list', {}));
      this.#carryOut(readAction(body, apps)).finally(() => (this.#running -= 1));
    } catch (error) {
      this.#running -= 1;
      throw error;
    }
  }

  /** @param {ReturnType<typeof requestFor>} request */
  async #carryOut({ method, params }) {
    try {
      const { apps } = await askDaemon(this.#paths, (client) =>
        client.request(method, params, {
          onNotification: (kind, step) => {
            if (kind === 'progress') this.#live.send('progress', { text: renderProgress(step) });
          },
        }),
      );
      const text = apps.map((outcome) => renderOutcome(outcome)).join('\n');
      this.#live.send('outcome', { ok: apps.every(({ ok }) => ok), text });
    } catch (thrown) {
      const error = NodeclusterError.from(thrown);
      const isLost = error.code === 'E_PROTOCOL_CLOSED';
      const { message, hint } = isLost ? new NodeclusterError('E_DAEMON_LOST', { method }) : error;
      this.#live.send('outcome', { ok: false, text: [message, hint].filter(Boolean).join(' ') });
    }
  }
}

const OF_WORKERS = ['start', 'stop', 'restart', 'reload', 'reset'];
const OF_APPS = ['scale', 'run-now', 'flush', 'delete'];
const ACTIONS = [...OF_WORKERS, ...OF_APPS];
const COUNT = /^(?:[+-]?\d{1,4}|max)$/;

/**
 * What the page may ask of the daemon, as the request that the daemon gets. Pure.
 * @param {Record<string, unknown>} body of the request
 * @param {App[]} apps that there are
 * @throws {Refusal}
 */
export function readAction({ action, target, options }, apps) {
  if (typeof action !== 'string' || !ACTIONS.includes(action)) {
    throw new Refusal(400, `The action must be one of ${ACTIONS.join(', ')}.`);
  }
  if (typeof target !== 'string') throw new Refusal(400, 'The target must be a name.');
  const takesWorkers = OF_WORKERS.includes(action);
  const names = apps.flatMap(({ name, workers }) => {
    const ofWorkers = workers.map(({ slot }) => `${name}:${slot}`);
    return [name, ...(takesWorkers ? ofWorkers : [])];
  });
  if (!names.includes(target)) {
    throw new Refusal(404, `There is no app ${takesWorkers ? 'or worker ' : ''}${target}.`);
  }
  const { instances } = /** @type {Record<string, unknown>} */ (Object(options));
  if (action === 'scale' && !(typeof instances === 'string' && COUNT.test(instances))) {
    throw new Refusal(400, 'The number of instances must be like 4, +2, -1 or max.');
  }
  return requestFor({ action, target, options: { instances } });
}
