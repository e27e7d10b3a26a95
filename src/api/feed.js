/** Frames of the daemon: the state of all apps, about once a second. */
import { stayConnected } from './stay-connected.js';

/**
 * @import { NodeclusterError } from '../errors/error.js'
 * @import { DaemonClient, Frame } from '../protocol/methods.js'
 * @import { Event } from '../protocol/shapes.js'
 * @import { DaemonFinder } from './stay-connected.js'
 */

/**
 * @typedef {object} FeedListener
 * @property {(frame: Frame, client: DaemonClient) => void} onFrame
 * @property {(error: NodeclusterError | null) => void} onLost the daemon was lost, and why if that is known;
 *   frames resume when another one runs
 * @property {(event: Event) => void} [onEvent] what happens between the frames
 * @property {() => number} [since] epoch ms: recent events after that time are repeated
 */

/** After this time without a frame, the last one counts as out of date. */
export const SILENT_MS = 5000;

/**
 * @param {DaemonFinder} daemons
 * @param {FeedListener} listener
 * @param {AbortSignal} signal stops watching
 */
export function watchApps(daemons, { onFrame, onLost, onEvent, since }, signal) {
  const watch = (/** @type {DaemonClient} */ client) =>
    client.request(
      'watch',
      {},
      {
        onNotification: (_kind, frame) => {
          if (!signal.aborted) onFrame(frame, client);
        },
      },
    );
  const follow = (/** @type {DaemonClient} */ client) =>
    client.request(
      'events',
      { since: since?.() },
      {
        onNotification: (kind, event) => {
          if (kind === 'event' && !signal.aborted) onEvent?.(event);
        },
      },
    );
  const use = (/** @type {DaemonClient} */ client) =>
    onEvent ? Promise.all([watch(client), follow(client)]) : watch(client);
  return stayConnected(daemons, use, { signal, onLost });
}
