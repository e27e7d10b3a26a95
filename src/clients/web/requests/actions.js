/** Carries out what somebody asked for on the page. Its steps and its outcome go to every page. */
import { connectToDaemon } from '../../../api/find-daemon.js';
import { NodeclusterError } from '../../../errors/error.js';
import { Refusal } from '../http/respond.js';
import { renderOutcome } from '../../../show/outcome.js';
import { renderProgress } from '../../../show/progress.js';
import { ROLE } from '../ask-daemon.js';
import { readAction } from './read-action.js';

/**
 * @import { DaemonClient, DaemonMethods } from '../../../protocol/methods.js'
 * @import { NotificationListener } from '../../../protocol/wire.js'
 * @import { Live } from '../live/live.js'
 * @import { Action, StreamEvents } from '../shapes.js'
 * @import { HomePaths } from '../../../shared/home.js'
 * @import { Order } from './read-action.js'
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
