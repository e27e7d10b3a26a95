/** Finds out which apps log, again and again: they can be started and deleted meanwhile. */
/** @import { LoggingApp } from '../../protocol/methods.js' */

const POLL_MS = 2000;

/**
 * @param {() => Promise<LoggingApp[]>} fetchApps
 * @param {(apps: LoggingApp[]) => Promise<void>} onApps not called while no daemon replies
 * @param {AbortSignal} [signal] stops it
 */
export function pollApps(fetchApps, onApps, signal) {
  if (signal?.aborted) return;
  setTimeout(async () => {
    await fetchApps().then(onApps, () => {});
    pollApps(fetchApps, onApps, signal);
  }, POLL_MS).unref();
}
