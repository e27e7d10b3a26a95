import { select } from '../control/targets.js';
import { readSelectors } from '../control/validate.js';

/**
 * @import { Event } from '../../protocol/shapes.js'
 * @import { AsyncHandler } from './methods.js'
 */

/** Bytes; beyond that a client misses events until it has read on. */
const MAX_UNREAD = 1024 * 1024;

/**
 * What happens, as notifications `event`, until the client is gone.
 * @type {AsyncHandler<'events'>}
 */
export function events(world, { selectors = [], since }, ctx) {
  const chosen = readSelectors(selectors);
  select(chosen, world.table.all());
  return new Promise((resolve) => {
    const listener = {
      selectors: chosen,
      since: typeof since === 'number' ? since : Date.now(),
      isBehind: () => ctx.unreadBytes() > MAX_UNREAD,
      tell: (/** @type {Event} */ event) => ctx.notify('event', event),
    };
    ctx.notify('listening', {});
    const end = world.events.add(listener);
    ctx.onClose(() => {
      end();
      resolve(null);
    });
  });
}
