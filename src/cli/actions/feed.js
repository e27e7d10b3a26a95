/** Frames of the daemon: the state of all apps, about once a second. */
import { stayConnected } from './stay-connected.js';

/**
 * @import { DaemonClient, Frame } from '../../protocol/methods.js'
 * @import { Daemons } from '../context.js'
 */

/**
 * @typedef {object} FeedListener
 * @property {(frame: Frame, client: DaemonClient) => void} onFrame
 * @property {() => void} onLost the daemon was lost; frames resume when another one runs
 */

/** After this time without a frame, the last one counts as out of date. */
export const SILENT_MS = 5000;

/**
 * @param {Daemons} daemons
 * @param {FeedListener} listener
 * @param {AbortSignal} signal stops watching
 */
export function watchApps(daemons, { onFrame, onLost }, signal) {
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
  return stayConnected(daemons, watch, { signal, onLost });
}
