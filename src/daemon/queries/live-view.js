/**
 * The table of all apps, again and again, for everybody who watches it. All watchers share one
 * look at a time; nobody looks while nobody watches, or while no watcher reads what it gets.
 */

/** @import { AppView } from '../../protocol/shapes.js' */

/** A watcher that wants every second gets what is made a little before the second is over. */
const SLACK = 0.1;

/**
 * @typedef {object} Watcher
 * @property {number} intervalMs
 * @property {() => boolean} isReading
 * @property {(frame: {at: number, apps: AppView[]}) => void} show
 */

export class LiveView {
  /** When each was shown something last, monotonic. @type {Map<Watcher, number>} */
  #watchers = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isLooking = false;
  #look;

  /** @param {() => Promise<AppView[]>} look makes the table */
  constructor(look) {
    this.#look = look;
  }

  /**
   * @param {Watcher} watcher is shown the table at once, and then every `intervalMs`
   * @returns {() => void} ends it
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
    if (this.#isLooking) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#turn(), ms);
  }

  async #turn() {
    const now = performance.now();
    const due = [...this.#watchers].filter(
      ([{ intervalMs, isReading }, shownAt]) =>
        now - shownAt >= intervalMs * (1 - SLACK) && isReading(),
    );
    if (due.length > 0)
      await this.#show(
        due.map(([watcher]) => watcher),
        now,
      );
    if (this.#watchers.size === 0) return;
    const everyMs = Math.min(...[...this.#watchers.keys()].map(({ intervalMs }) => intervalMs));
    const isNew = [...this.#watchers.values()].includes(-Infinity);
    this.#wakeIn(isNew && due.length > 0 ? 0 : Math.max(0, everyMs - (performance.now() - now)));
  }

  /**
   * @param {Watcher[]} watchers
   * @param {number} now
   */
  async #show(watchers, now) {
    this.#isLooking = true;
    try {
      const frame = { at: Date.now(), apps: await this.#look() };
      for (const watcher of watchers) {
        if (!this.#watchers.has(watcher)) continue;
        this.#watchers.set(watcher, now);
        watcher.show(frame);
      }
    } finally {
      this.#isLooking = false;
    }
  }
}
