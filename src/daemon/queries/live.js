/**
 * Makes the records of all apps at intervals. All watchers share them, and none are made while
 * there are no watchers or none of them reads.
 */
import { patchBetween } from '../../shared/merge-patch.js';
import { select } from '../control/targets.js';

/**
 * @import { Frame } from '../../protocol/methods.js'
 * @import { Watched } from '../../protocol/shapes.js'
 * @import { Handler } from '../control/methods.js'
 */

/** Share of an interval by which records may come early, so that watchers can share them. */
const TOLERANCE = 0.1;

/**
 * @typedef {object} Watcher
 * @property {number} intervalMs
 * @property {() => boolean} isReading it has read the earlier frames
 * @property {(frame: Frame) => void} show
 *
 * @typedef {object} Shown
 * @property {number} shownMs monotonic
 * @property {number} seq
 * @property {object} state what the watcher knows; one that reads slowly may know an old one
 */

/** @type {Shown} */
const NOTHING = { shownMs: -Infinity, seq: 0, state: {} };

export class LiveView {
  /** What each was last shown. @type {Map<Watcher, Shown>} */
  #watchers = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isBusy = false;
  #look;

  /** @param {() => Promise<Watched>} look */
  constructor(look) {
    this.#look = look;
  }

  /**
   * @param {Watcher} watcher gets a frame at once and then every `intervalMs`
   * @returns {() => void} removes it
   */
  add(watcher) {
    this.#watchers.set(watcher, NOTHING);
    this.#wakeIn(0);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) clearTimeout(this.#timer);
    };
  }

  /** @param {number} ms */
  #wakeIn(ms) {
    if (this.#isBusy) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#turn(), ms);
  }

  async #turn() {
    const now = performance.now();
    /** @type {Watcher[]} */
    const due = [];
    for (const [watcher, { shownMs }] of this.#watchers) {
      const isDue = now - shownMs >= watcher.intervalMs * (1 - TOLERANCE);
      if (isDue && watcher.isReading()) due.push(watcher);
    }
    if (due.length > 0) await this.#show(due, now);
    if (this.#watchers.size === 0) return;
    const intervals = Array.from(this.#watchers.keys(), ({ intervalMs }) => intervalMs);
    const isNew = [...this.#watchers.values()].includes(NOTHING);
    this.#wakeIn(
      isNew && due.length > 0 ? 0 : Math.max(0, Math.min(...intervals) - (performance.now() - now)),
    );
  }

  /** @param {Watcher[]} watchers @param {number} now */
  async #show(watchers, now) {
    this.#isBusy = true;
    try {
      const state = await this.#look();
      const at = Date.now();
      /** Most watchers know the same. @type {Map<object, object>} */
      const patches = new Map();
      for (const watcher of watchers) {
        const known = this.#watchers.get(watcher);
        if (!known) continue;
        const patch = patches.get(known.state) ?? patchBetween(known.state, state) ?? {};
        patches.set(known.state, patch);
        const seq = known.seq + 1;
        this.#watchers.set(watcher, { shownMs: now, seq, state });
        watcher.show({ seq, at, patch });
      }
    } finally {
      this.#isBusy = false;
    }
  }
}

const DEFAULT_MS = 1000;
const MIN_MS = 200;
const MAX_MS = 60_000;

/**
 * Sends what changes in the records as notifications `frame` until the client disconnects. A client that does not read
 * misses frames; the next one has all that it missed.
 * @type {Handler<'watch'>}
 */
export function watch(daemon, { intervalMs = DEFAULT_MS }, ctx) {
  return new Promise((resolve) => {
    const stop = daemon.liveView.add({
      intervalMs: Math.min(Math.max(MIN_MS, intervalMs), MAX_MS),
      isReading: () => ctx.unreadBytes() === 0,
      show: (frame) => ctx.notify('frame', frame),
    });
    ctx.onClose(() => {
      stop();
      resolve(null);
    });
  });
}

/** Bytes; a client with more unread events misses events until it catches up. */
const MAX_UNREAD = 1024 * 1024;

/**
 * Sends notifications `event` until the client disconnects; `listening` when what is kept has been sent.
 * @type {Handler<'events'>}
 */
export function events(daemon, { selectors = [], since = Date.now() }, ctx) {
  select(selectors, daemon.table.all());
  return new Promise((resolve) => {
    const unsubscribe = daemon.events.add({
      selectors,
      since,
      isBehind: () => ctx.unreadBytes() > MAX_UNREAD,
      send: (event) => ctx.notify('event', event),
    });
    ctx.notify('listening', {});
    ctx.onClose(() => {
      unsubscribe();
      resolve(null);
    });
  });
}
