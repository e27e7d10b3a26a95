/** Follows the log of the selected app or worker. */
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../../api/logs/log-tail.js';
import { NodeclusterError } from '../../errors/error.js';
import { MAX_LOG_LINES, selectedRow } from './state.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { State } from './state.js'
 * @import { MonitEvent } from './update.js'
 */

/** How long a row must be selected before its log is read: keys move quickly through many rows. */
const DELAY_MS = 100;

export class LogWatch {
  #emit;
  #ending;
  /** The row and what the log files depend on. @type {string | null} */
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
   * @param {State} state
   * @param {DaemonClient | null} client null: nothing changes
   */
  follow(state, client) {
    const row = selectedRow(state);
    const followed = row && [row.key, row.app.generation, row.app.workers.length].join(' ');
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
    await pause(DELAY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    let isFirst = true;
    const show = (/** @type {Entry[]} */ entries) => {
      this.#emit({ kind: 'log', key, entries, isFirst });
      isFirst = false;
    };
    try {
      const { apps } = await client.request('log-files', { selectors: [key] });
      const options = { filter: { stream: null, grep: null }, pastLines: MAX_LOG_LINES };
      await followLog(apps, show, signal, { ...options, warn: (problem) => this.#warn(problem) });
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
