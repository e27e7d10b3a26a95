import { VERSION } from '../../shared/version.js';

/** @import { Handler } from '../control/methods.js' */

const DEFAULT_MS = 1000;
const MIN_MS = 200;
const MAX_MS = 60_000;

/**
 * Sends the table of `list` with telemetry as notifications `frame` until the client disconnects. A
 * client that does not read misses frames.
 * @type {Handler<'watch'>}
 */
export function watch(daemon, { intervalMs = DEFAULT_MS }, ctx) {
  const self = { pid: process.pid, version: VERSION, node: process.version };
  return new Promise((resolve) => {
    const stop = daemon.liveView.add({
      intervalMs: Math.min(Math.max(MIN_MS, intervalMs), MAX_MS),
      isReading: () => ctx.unreadBytes() === 0,
      show: (frame) => ctx.notify('frame', { daemon: self, ...frame }),
    });
    ctx.onClose(() => {
      stop();
      resolve(null);
    });
  });
}
