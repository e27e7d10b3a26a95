/** The records of all apps, about once a second. */
import { inOrder, mergePatch } from '../shared/merge-patch.js';
import { stayConnected } from './stay-connected.js';

/**
 * @import { NodeclusterError } from '../errors/error.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { App, DaemonIdentity, Event, Watched } from '../protocol/shapes.js'
 * @import { DaemonFinder } from './stay-connected.js'
 */

/**
 * @typedef {{at: number, daemon: DaemonIdentity, apps: App[]}} Frame at: epoch ms
 *
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
  const watch = (/** @type {DaemonClient} */ client) => {
    let known = 0;
    /** @type {Watched} */
    let state;
    return client.request(
      'watch',
      {},
      {
        onNotification: (_kind, { seq, at, patch }) => {
          // Without the frame before, a patch says nothing; a new connection begins with everything.
          if (seq !== known + 1) client.close();
          if (seq !== known + 1 || signal.aborted) return;
          known = seq;
          state = mergePatch(state, patch);
          onFrame({ at, daemon: state.daemon, apps: inOrder(state) }, client);
        },
      },
    );
  };
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
