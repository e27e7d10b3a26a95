/** Follows the records of all apps, or events, until the client disconnects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { patchBetween } from '../../shared/merge-patch.js';

/**
 * @import { Event } from '../../protocol/shapes.js'
 * @import { Handler } from '../control/methods.js'
 */

const EVERY_MS = 1000;

/**
 * Sends what changes in the records as notifications `frame`, about once a second. A client that does not read misses
 * frames; the next one has all that it missed.
 * @type {Handler<'watch'>}
 */
export async function watch(daemon, _params, ctx) {
  const closing = new AbortController();
  const { signal } = closing;
  ctx.onClose(() => closing.abort());
  let known = {};
  while (!signal.aborted) {
    if (ctx.unreadBytes() === 0) {
      const state = await daemon.watched();
      ctx.notify('frame', { at: Date.now(), patch: patchBetween(known, state) ?? {} });
      known = state;
    }
    await sleep(EVERY_MS, null, { signal }).catch(() => {});
  }
  return null;
}

/** Bytes; a client with far more is disconnected. */
const MAX_UNREAD = 1024 * 1024;

/**
 * Sends notifications `event`; `listening` when what is kept has been sent. A client that does not read gets `missed`.
 * @type {Handler<'events'>}
 */
export async function events(daemon, { selectors = [], since = Date.now() }, ctx) {
  let count = 0;
  const send = (/** @type {Event} */ event) => {
    if (ctx.unreadBytes() > MAX_UNREAD) return void (count += 1);
    if (count > 0) ctx.notify('event', { type: 'missed', at: event.at, count });
    count = 0;
    ctx.notify('event', event);
  };
  const unsubscribe = daemon.events.add({ selectors, since, send });
  ctx.notify('listening', {});
  return new Promise((resolve) => {
    ctx.onClose(() => {
      unsubscribe();
      resolve(null);
    });
  });
}
