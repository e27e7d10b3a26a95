/** Follows the log of the selected app or worker. */
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../../api/logs/merged-logs.js';
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
  /** The key of a row. @type {string | null} */
  #followed = null;
  /** @type {DaemonClient | null} */
  #client = null;
  #current = new AbortController();

  /** @param {(event: MonitEvent) => void} emit @param {AbortSignal} ending */
  constructor(emit, ending) {
    this.#emit = emit;
    this.#ending = ending;
    ending.addEventListener('abort', () => this.#current.abort());
  }

  /** @param {State} state @param {DaemonClient | null} client null: nothing changes */
  follow(state, client) {
    const followed = selectedRow(state)?.key ?? null;
    this.#client = client;
    if (followed === this.#followed || client === null || this.#ending.aborted) return;
    this.#followed = followed;
    this.#current.abort();
    this.#current = new AbortController();
    if (followed !== null) this.#start(followed, this.#current.signal);
  }

  /** @param {string} key of a row; the daemon takes it as a selector @param {AbortSignal} signal */
  async #start(key, signal) {
    await pause(DELAY_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    let isFirst = true;
    const show = (/** @type {Entry[]} */ entries) => {
      this.#emit({ kind: 'log', key, entries, isFirst });
      isFirst = false;
    };
    const warn = (/** @type {NodeclusterError} */ { message: text }) =>
      this.#emit({ kind: 'message', text, tone: 'bad' });
    const fetchApps = async () => {
      if (this.#client === null)
        throw new NodeclusterError('E_PROTOCOL_CLOSED', { method: 'log-files' });
      return (await this.#client.request('log-files', { selectors: [key] })).apps;
    };
    const filter = { stream: null, grep: null };
    try {
      await followLog(fetchApps, show, signal, { filter, pastLines: MAX_LOG_LINES, warn });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = NodeclusterError.from(thrown);
      if (error.code === 'E_PROTOCOL_CLOSED') this.#followed = null;
      else warn(error);
    }
  }
}
