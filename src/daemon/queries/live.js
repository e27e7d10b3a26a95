/**
 * Makes the table of all apps at intervals. All watchers share each table, and none is made while
 * there are no watchers or none of them reads.
 */
import { VERSION } from '../../shared/version.js';
import { select } from '../control/targets.js';

/**
 * @import { AppView } from '../../protocol/shapes.js'
 * @import { Handler } from '../control/methods.js'
 */

/** Share of an interval by which a table may come early, so that watchers can share it. */
const TOLERANCE = 0.1;

/**
 * @typedef {object} Watcher
 * @property {number} intervalMs
 * @property {() => boolean} isReading it has read the earlier frames
 * @property {(frame: {at: number, apps: AppView[]}) => void} show
 */

export class LiveView {
  /** Monotonic ms at which each got its last frame. @type {Map<Watcher, number>} */
  #watchers = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isBusy = false;
  #makeTable;

  /** @param {() => Promise<AppView[]>} makeTable */
  constructor(makeTable) {
    this.#makeTable = makeTable;
  }

  /**
   * @param {Watcher} watcher gets a frame at once and then every `intervalMs`
   * @returns {() => void} removes it
   */
  add(watcher) {
    this.#watchers.set(watcher, -Infinity);
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
    for (const [watcher, shownMs] of this.#watchers) {
      const isDue = now - shownMs >= watcher.intervalMs * (1 - TOLERANCE);
      if (isDue && watcher.isReading()) due.push(watcher);
    }
    if (due.length > 0) await this.#show(due, now);
    if (this.#watchers.size === 0) return;
    const intervals = Array.from(this.#watchers.keys(), ({ intervalMs }) => intervalMs);
    const isNew = [...this.#watchers.values()].includes(-Infinity);
    this.#wakeIn(
      isNew && due.length > 0 ? 0 : Math.max(0, Math.min(...intervals) - (performance.now() - now)),
    );
  }

  /** @param {Watcher[]} watchers @param {number} now */
  async #show(watchers, now) {
    this.#isBusy = true;
    try {
      const frame = { at: Date.now(), apps: await this.#makeTable() };
      for (const watcher of watchers) {
        if (!this.#watchers.has(watcher)) continue;
        this.#watchers.set(watcher, now);
        watcher.show(frame);
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
