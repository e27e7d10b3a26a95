/** Follows the log of the app that is selected, and of no other. */
import { NodeclusterError } from '../../errors/error.js';
import { followLog } from './log-tail.js';

/** @typedef {import('./update.js').MonitEvent} MonitEvent */

export class LogWatch {
  #tell;
  #ending;
  /** Which files it follows depends on all of these. @type {string | null} */
  #followed = null;
  #current = new AbortController();

  /**
   * @param {(event: MonitEvent) => void} tell
   * @param {AbortSignal} ending
   */
  constructor(tell, ending) {
    this.#tell = tell;
    this.#ending = ending;
    ending.addEventListener('abort', () => this.#current.abort());
  }

  /**
   * @param {import('./rows.js').App | null} app
   * @param {import('../context.js').Client | null} client knows the paths; without one nothing
   *   changes
   */
  follow(app, client) {
    const wanted = app && `${app.name} ${app.generation} ${app.workers.length}`;
    if (wanted === this.#followed || client === null || this.#ending.aborted) return;
    this.#followed = wanted;
    this.#current.abort();
    this.#current = new AbortController();
    if (app !== null) this.#start(app.name, client, this.#current.signal);
  }

  /**
   * @param {string} app
   * @param {import('../context.js').Client} client
   * @param {AbortSignal} signal
   */
  async #start(app, client, signal) {
    try {
      const { apps } = await client.request('log-files', { selectors: [app] });
      if (signal.aborted) return;
      this.#tell({ kind: 'log', app, entries: [], isBegin: true });
      for (const logging of apps) {
        await followLog(logging, (entries) => this.#tell({ kind: 'log', app, entries }), signal);
      }
    } catch (thrown) {
      if (signal.aborted) return;
      const { code, message } = NodeclusterError.from(thrown);
      if (code === 'E_PROTOCOL_CLOSED') this.#followed = null;
      else this.#tell({ kind: 'told', text: message, tone: 'bad' });
    }
  }
}
