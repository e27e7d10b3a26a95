/** Follows the log of the app or worker that is selected, and of no other. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../../errors/error.js';
import { followLog } from './tail.js';

/**
 * @import { DaemonClient } from '../../../protocol/methods.js'
 * @import { Row } from '../../render/table/rows.js'
 * @import { MonitEvent } from '../update.js'
 */

/** Who moves through the table stays no longer on a row that is not meant, in ms. */
const PASSING_MS = 100;

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
   * @param {Row | null} row
   * @param {DaemonClient | null} client knows the paths; without one nothing
   *   changes
   */
  follow(row, client) {
    const wanted = row && `${row.key} ${row.app.generation} ${row.app.workers.length}`;
    if (wanted === this.#followed || client === null || this.#ending.aborted) return;
    this.#followed = wanted;
    this.#current.abort();
    this.#current = new AbortController();
    if (row !== null) this.#start(row.key, client, this.#current.signal);
  }

  /**
   * @param {string} key of a row; the daemon takes it as a selector
   * @param {DaemonClient} client
   * @param {AbortSignal} signal
   */
  async #start(key, client, signal) {
    try {
      await pause(PASSING_MS, undefined, { signal });
      const { apps } = await client.request('log-files', { selectors: [key] });
      let isBegin = true;
      for (const logging of apps) {
        await followLog(
          logging,
          (entries) => {
            this.#tell({ kind: 'log', key, entries, isBegin });
            isBegin = false;
          },
          signal,
        );
      }
    } catch (thrown) {
      if (signal.aborted) return;
      const { code, message } = NodeclusterError.from(thrown);
      if (code === 'E_PROTOCOL_CLOSED') this.#followed = null;
      else this.#tell({ kind: 'told', text: message, tone: 'bad' });
    }
  }
}
