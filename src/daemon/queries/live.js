/**
 * Makes the records of all apps about once a second. All watchers share them, and none are made while
 * there are no watchers or none of them reads.
 */
import { patchBetween } from '../../shared/merge-patch.js';
import { select } from '../control/targets.js';

/**
 * @import { Frame } from '../../protocol/methods.js'
 * @import { Event, Watched } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { Handler } from '../control/methods.js'
 */

const EVERY_MS = 1000;

/** @typedef {{isReading: () => boolean, show: (frame: Frame) => void}} Watcher isReading: it has read what it got */

export class LiveView {
  /** What each was last shown, perhaps some time ago. @type {Map<Watcher, object>} */
  #watchers = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isBusy = false;
  /** Whether a watcher was added while the others were shown something. */
  #hasNew = false;
  #look;
  #everyMs;

  /** @param {() => Promise<Watched>} look @param {number} [everyMs] */
  constructor(look, everyMs = EVERY_MS) {
    this.#look = look;
    this.#everyMs = everyMs;
  }

  /** @param {Watcher} watcher gets a frame at once, and then about once a second @returns {() => void} removes it */
  add(watcher) {
    this.#watchers.set(watcher, {});
    if (this.#isBusy) this.#hasNew = true;
    else this.#wakeIn(0);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) clearTimeout(this.#timer);
    };
  }

  /** @param {number} ms */
  #wakeIn(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#turn(), ms);
  }

  async #turn() {
    const begunMs = performance.now();
    this.#isBusy = true;
    this.#hasNew = false;
    await this.#show().finally(() => (this.#isBusy = false));
    if (this.#watchers.size === 0) return;
    const restMs = Math.max(0, this.#everyMs - (performance.now() - begunMs));
    this.#wakeIn(this.#hasNew ? 0 : restMs);
  }

  async #show() {
    const watchers = [...this.#watchers.keys()].filter((watcher) => watcher.isReading());
    if (watchers.length === 0) return;
    const state = await this.#look();
    const at = Date.now();
    /** Most watchers know the same. @type {Map<object, object>} */
    const patches = new Map();
    for (const watcher of watchers) {
      const known = this.#watchers.get(watcher);
      if (!known) continue;
      const patch = patches.get(known) ?? patchBetween(known, state) ?? {};
      patches.set(known, patch);
      this.#watchers.set(watcher, state);
      watcher.show({ at, patch });
    }
  }
}

/**
 * Sends what changes in the records as notifications `frame` until the client disconnects. A client that does not read
 * misses frames; the next one has all that it missed.
 * @type {Handler<'watch'>}
 */
export function watch(daemon, _params, ctx) {
  const stop = daemon.liveView.add({
    isReading: () => ctx.unreadBytes() === 0,
    show: (frame) => ctx.notify('frame', frame),
  });
  return untilClosed(ctx, stop);
}

/**
 * Sends notifications `event` until the client disconnects; `listening` when what is kept has been sent.
 * @type {Handler<'events'>}
 */
export async function events(daemon, { selectors = [], since = Date.now() }, ctx) {
  select(selectors, daemon.table.all());
  const send = (/** @type {Event} */ event) => ctx.notify('event', event);
  const unsubscribe = daemon.events.add({ selectors, since, send });
  ctx.notify('listening', { completeFrom: daemon.events.completeFrom });
  return untilClosed(ctx, unsubscribe);
}

/** @param {Pick<RequestContext, 'onClose'>} ctx @param {() => void} end @returns {Promise<null>} when the client has disconnected */
function untilClosed(ctx, end) {
  return new Promise((resolve) => {
    ctx.onClose(() => {
      end();
      resolve(null);
    });
  });
}
