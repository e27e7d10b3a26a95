import { select } from '../control/targets.js';
import { readSelectors } from '../control/validate.js';

/** @import { Handler } from '../control/methods.js' */

/** Bytes; a client with more unread events misses events until it catches up. */
const MAX_UNREAD = 1024 * 1024;

/**
 * Sends notifications `event` until the client disconnects.
 * @type {Handler<'events'>}
 */
export function events(daemon, { selectors: given = [], since }, ctx) {
  const selectors = readSelectors(given);
  select(selectors, daemon.table.all());
  return new Promise((resolve) => {
    ctx.notify('listening', {});
    const unsubscribe = daemon.events.add({
      selectors,
      since: typeof since === 'number' ? since : Date.now(),
      isBehind: () => ctx.unreadBytes() > MAX_UNREAD,
      send: (event) => ctx.notify('event', event),
    });
    ctx.onClose(() => {
      unsubscribe();
      resolve(null);
    });
  });
}
