import { select } from '../control/targets.js';

/** @import { Handler } from '../control/methods.js' */

/** Bytes; a client with more unread events misses events until it catches up. */
const MAX_UNREAD = 1024 * 1024;

/**
 * Sends notifications `event` until the client disconnects.
 * @type {Handler<'events'>}
 */
export function events(daemon, { selectors = [], since = Date.now() }, ctx) {
  select(selectors, daemon.table.all());
  return new Promise((resolve) => {
    ctx.notify('listening', {});
    const unsubscribe = daemon.events.add({
      selectors,
      since,
      isBehind: () => ctx.unreadBytes() > MAX_UNREAD,
      send: (event) => ctx.notify('event', event),
    });
    ctx.onClose(() => {
      unsubscribe();
      resolve(null);
    });
  });
}
