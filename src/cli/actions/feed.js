/** Frames of the daemon as long as somebody watches, also when the daemon dies in between. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Daemons } from '../context.js'
 * @import { App } from '../render/table/ls.js'
 */

/**
 * @typedef {object} Frame
 * @property {{pid: number, version: string}} daemon
 * @property {App[]} apps
 *
 * @typedef {object} FeedListener
 * @property {(frame: Frame, client: DaemonClient) => void} frame
 * @property {() => void} lost the daemon is gone; it is looked for until it is there again
 */

/** There is a frame every second: without any for so long, in ms, the last one tells nothing of now. */
export const SILENT_MS = 5000;
const RETRY_MS = 250;
/** What passes: the daemon is not there yet, or is just leaving. */
const PASSING = [
  ...['E_PROTOCOL_UNREACHABLE', 'E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED', 'E_DAEMON_ENDING'],
];

/**
 * @param {Daemons} daemons
 * @param {FeedListener} listener
 * @param {AbortSignal} signal ends it
 * @returns {Promise<void>}
 * @throws {NodeclusterError} what does not pass: E_PROTOCOL_VERSION of a daemon that was replaced
 */
export async function watchApps(daemons, { frame, lost }, signal) {
  while (!signal.aborted) {
    try {
      const client = await daemons.find();
      if (client) {
        const onNotification = (/** @type {string} */ _name, /** @type {any} */ params) => {
          if (!signal.aborted) frame(params, client);
        };
        await client.request('watch', {}, { onNotification });
      }
    } catch (thrown) {
      const error = NodeclusterError.from(thrown);
      if (!PASSING.includes(error.code)) throw error;
    }
    if (signal.aborted) return;
    lost();
    daemons.close();
    await pause(RETRY_MS);
  }
}
