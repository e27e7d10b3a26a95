/** The records of all apps, about once a second. */
import { inOrder, mergePatch } from '../shared/merge-patch.js';
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { App, DaemonIdentity, Event, Watched } from '../protocol/shapes.js'
 *
 * @typedef {{at: number, daemon: DaemonIdentity, apps: App[]}} Frame at: epoch ms
 *
 * @typedef {object} DaemonFinder
 * @property {string} home
 * @property {() => Promise<DaemonClient | null>} find connects to a running daemon; null: none is running
 * @property {() => void} close closes the connection; the next call connects again
 */

/** After this time without a frame, the last one counts as out of date. */
export const SILENT_MS = 5000;

/**
 * @param {DaemonFinder} daemons
 * @param {object} listener
 * @param {(frame: Frame, client: DaemonClient) => void} listener.onFrame
 * @param {(error: NodeclusterError | null) => void} listener.onLost as of stayConnected
 * @param {(event: Event) => void} [listener.onEvent] what happens between the frames
 * @param {() => number} [listener.since] epoch ms: recent events from that time on are repeated
 * @param {AbortSignal} signal stops watching
 */
export function watchApps(daemons, { onFrame, onLost, onEvent, since }, signal) {
  const use = (/** @type {DaemonClient} */ client) => {
    /** @type {Watched} */
    let state;
    const watching = client.request(
      'watch',
      {},
      {
        onNotification: (_kind, { at, patch }) => {
          if (signal.aborted) return;
          state = mergePatch(state, patch);
          onFrame({ at, daemon: state.daemon, apps: inOrder(state) }, client);
        },
      },
    );
    const add = (/** @type {Event} */ event) => signal.aborted || onEvent?.(event);
    return Promise.all([
      watching,
      onEvent && subscribe(client, { since: since?.() }, add, () => {}),
    ]);
  };
  return stayConnected(daemons, use, { signal, onLost });
}

/**
 * @param {DaemonClient} client @param {DaemonMethods['events']['params']} params @param {(event: Event) => void} add
 * @param {() => void} onListening called when the daemon sends every event from now on
 * @returns when the connection has ended
 */
export function subscribe(client, params, add, onListening) {
  return client.request('events', params, {
    onNotification: (kind, payload) => (kind === 'event' ? add(payload) : onListening()),
  });
}

const RETRY_MS = 250;
/** Errors of a request that is sent while one daemon exits and the next one starts. */
const TEMPORARY = new Set([
  'E_PROTOCOL_UNREACHABLE',
  'E_PROTOCOL_TIMEOUT',
  'E_DAEMON_SILENT',
  'E_PROTOCOL_CLOSED',
  'E_DAEMON_ENDING',
]);

/**
 * Starts no daemon: the primaries do that, and one that was stopped on purpose must stay stopped.
 * @param {DaemonFinder} daemons
 * @param {(client: DaemonClient) => Promise<unknown>} use sends a request that lasts as long as the connection
 * @param {object} options
 * @param {AbortSignal} options.signal closes the connection, so that the daemon stops measuring
 * @param {(error: NodeclusterError | null) => void} options.onLost called once for each loss; null: none is running
 * @param {number} [options.timeoutMs] how long to wait for the next daemon; unlimited by default
 */
export async function stayConnected(daemons, use, { signal, onLost, timeoutMs = Infinity }) {
  /** @type {number | null} */
  let lostAt = null;
  signal.addEventListener('abort', () => daemons.close(), { once: true });
  while (!signal.aborted) {
    /** @type {NodeclusterError | null} */
    let error = null;
    try {
      const client = await daemons.find();
      if (client && !signal.aborted) await use(client);
    } catch (thrown) {
      error = NodeclusterError.from(thrown);
      if (!TEMPORARY.has(error.code)) throw error;
      // An established connection ends with this error, a failed attempt with one of the others.
      if (error.code === 'E_PROTOCOL_CLOSED') lostAt = null;
    }
    if (signal.aborted) break;
    if (lostAt === null) onLost(error);
    lostAt ??= performance.now();
    if (performance.now() - lostAt > timeoutMs) {
      throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
    }
    daemons.close();
    await pause(RETRY_MS);
  }
  daemons.close();
}
