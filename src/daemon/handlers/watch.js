import { VERSION } from '../../shared/version.js';

/** @import { AsyncHandler } from './methods.js' */

const DEFAULT_MS = 1000;
const LEAST_MS = 200;
const MOST_MS = 60_000;

/**
 * The table of `list`, with what the workers measure of themselves, as notifications `frame`. It
 * goes on until the client is gone; one that does not read misses frames.
 * @type {AsyncHandler<'watch'>}
 */
export function watch(world, { intervalMs = DEFAULT_MS }, ctx) {
  const daemon = { pid: process.pid, version: VERSION };
  return new Promise((resolve) => {
    const end = world.liveView.add({
      intervalMs: Math.min(Math.max(LEAST_MS, Number(intervalMs) || DEFAULT_MS), MOST_MS),
      isReading: () => ctx.unreadBytes() === 0,
      show: (frame) => ctx.notify('frame', { daemon, ...frame }),
    });
    ctx.onClose(() => {
      end();
      resolve(null);
    });
  });
}
