/** Stays connected to the daemon of a home directory, even when another daemon replaces it. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../errors/error.js';

/** @import { DaemonClient } from '../protocol/methods.js' */

const RETRY_MS = 250;
/** Errors of a request that is sent while one daemon exits and the next one starts. */
const TEMPORARY = new Set([
  'E_PROTOCOL_UNREACHABLE',
  'E_PROTOCOL_TIMEOUT',
  'E_DAEMON_SILENT',
  'E_DAEMON_UNREACHABLE',
  'E_PROTOCOL_CLOSED',
  'E_DAEMON_ENDING',
]);

/**
 * @typedef {object} DaemonFinder
 * @property {string} home
 * @property {() => Promise<DaemonClient | null>} find connects to a running daemon; null: none is running
 * @property {() => void} close closes the connection; the next call connects again
 *
 * @typedef {object} ConnectionOptions
 * @property {AbortSignal} signal stops reconnecting
 * @property {(error: NodeclusterError | null) => void} onLost called once each time the daemon is lost;
 *   null: none is running
 * @property {number} [timeoutMs] how long to wait for the next daemon; unlimited by default
 */

/**
 * Does not start a daemon: the primaries do that, and a daemon that was stopped on purpose must
 * stay stopped.
 * @param {DaemonFinder} daemons
 * @param {(client: DaemonClient) => Promise<unknown>} use sends a request that lasts as long as the connection
 * @param {ConnectionOptions} options
 * @throws {NodeclusterError} E_DAEMON_NOT_RUNNING after timeoutMs, and errors that a retry
 *   cannot fix, such as E_PROTOCOL_VERSION
 */
export async function stayConnected(daemons, use, { signal, onLost, timeoutMs = Infinity }) {
  /** @type {number | null} */
  let lostAt = null;
  while (!signal.aborted) {
    /** @type {NodeclusterError | null} */
    let error = null;
    try {
      const client = await daemons.find();
      if (client) await use(client);
    } catch (thrown) {
      error = NodeclusterError.from(thrown);
      if (!TEMPORARY.has(error.code)) throw error;
      // An established connection ends with this error, a failed attempt with one of the others.
      if (error.code === 'E_PROTOCOL_CLOSED') lostAt = null;
    }
    if (signal.aborted) return;
    if (lostAt === null) onLost(error);
    lostAt ??= performance.now();
    if (performance.now() - lostAt > timeoutMs) {
      throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
    }
    daemons.close();
    await pause(RETRY_MS);
  }
}
