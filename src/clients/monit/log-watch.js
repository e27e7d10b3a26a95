/** Follows the log of the selected app or worker. */
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../../api/logs/log-tail.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { Row } from '../../show/rows.js'
 * @import { MonitEvent } from './update.js'
 */

/** How long a row must be selected before its log is read: keys move quickly through many rows. */
const DELAY_MS = 100;

export class LogWatch {
  #emit;
  #ending;
  /** The row and what its log files depend on. @type {string | null} */
  #followed = null;
  #current = new AbortController();

  /**
   * @param {(event: MonitEvent) => void} emit
   * @param {AbortSignal} ending
   */
  constructor(emit, ending) {
    this.#emit = emit;
    this.#ending = ending;
    ending.addEventListener('abort', () => this.#current.abort());
  }

  /**
   * @param {Row | null} row
   * @param {DaemonClient | null} client null: nothing changes
   */
  follow(row, client) {
    const followed = row && `${row.key} ${row.app.generation} ${row.app.workers.length}`;
    if (followed === this.#followed || client === null || this.#ending.aborted) return;
    this.#followed = followed;
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
      await pause(DELAY_MS, undefined, { signal });
      const { apps } = await client.request('log-files', { selectors: [key] });
      let isFirst = true;
      const show = (/** @type {Entry[]} */ entries) => {
        this.#emit({ kind: 'log', key, entries, isFirst });
        isFirst = false;
      };
      await followLog(apps, show, signal, { warn: (problem) => this.#warn(problem) });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = NodeclusterError.from(thrown);
      if (error.code === 'E_PROTOCOL_CLOSED') this.#followed = null;
      else this.#warn(error);
    }
  }

  /** @param {NodeclusterError} problem */
  #warn({ message: text }) {
    this.#emit({ kind: 'message', text, tone: 'bad' });
  }
}
