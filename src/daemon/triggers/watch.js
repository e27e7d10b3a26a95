/** Rolling reloads when files change (`watch`); the only one that knows chokidar. */
import path from 'node:path';
import chokidar from 'chokidar';
import { watchFilter } from './watch-ignore.js';

/**
 * @import { FSWatcher } from 'chokidar'
 * @import { App } from '../apps/app.js'
 * @import { Log } from '../log.js'
 */

/**
 * @typedef {object} Watched
 * @property {string} key what is watched, and how
 * @property {FSWatcher} watcher
 * @property {NodeJS.Timeout | undefined} timer runs from a change until the reload
 * @property {number | null} since monotonic ms of the first change that waits for a reload
 */

/** A folder that is written to all the time is reloaded at least after so many delays. */
const MAX_DELAYS = 10;

/**
 * @param {number} delayMs after the last change
 * @param {number} waitedMs since the first
 * @returns {number} ms until the reload when nothing changes any more
 */
export function quietDelay(delayMs, waitedMs) {
  return Math.max(0, Math.min(delayMs, MAX_DELAYS * delayMs - waitedMs));
}

export class WatchTrigger {
  /** @type {Map<string, Watched>} by app */
  #watched = new Map();
  #onChange;
  #home;
  #log;

  /**
   * @param {(app: App) => void} onChange
   * @param {string} home
   * @param {Log} log
   */
  constructor(onChange, home, log) {
    this.#onChange = onChange;
    this.#home = home;
    this.#log = log;
  }

  /**
   * Call it whenever something of the app may have changed.
   * @param {App} app
   */
  sync(app) {
    const { watch, ignoreWatch, watchDelayMs, cwd } = app.spec;
    const isOff = app.stopped || app.deleted || watch === false || watch === undefined;
    const key = isOff ? null : JSON.stringify([watch, ignoreWatch, watchDelayMs, cwd]);
    const present = this.#watched.get(app.name);
    if ((present?.key ?? null) === key) return;
    this.#end(app.name, present);
    if (key !== null) this.#watched.set(app.name, this.#begin(app, key));
  }

  /**
   * @param {App} app
   * @param {string} key
   * @returns {Watched}
   */
  #begin(app, key) {
    const { watch, ignoreWatch = [], watchDelayMs, cwd } = app.spec;
    const log = this.#log.of({ app: app.name });
    const watched = Array.isArray(watch) ? watch : [cwd];
    const paths = watched.map((each) => path.resolve(cwd, each));
    const ignored = watchFilter(cwd, ignoreWatch, this.#home);
    const watcher = chokidar.watch(paths, { ignored, ignoreInitial: true });
    /** @type {Watched} */
    const entry = { key, watcher, timer: undefined, since: null };
    watcher.on('all', (event, file) => {
      if (entry.since === null) log.info('watch.changed', { change: event, file });
      const now = performance.now();
      entry.since ??= now;
      clearTimeout(entry.timer);
      entry.timer = setTimeout(
        () => {
          entry.since = null;
          this.#onChange(app);
        },
        quietDelay(watchDelayMs, now - entry.since),
      );
    });
    watcher.on('ready', () => log.info('watch.began', { paths }));
    watcher.on('error', (error) => log.error('watch.failed', { reason: String(error) }));
    return entry;
  }

  /**
   * @param {string} name
   * @param {Watched | undefined} present
   */
  #end(name, present) {
    if (!present) return;
    clearTimeout(present.timer);
    present.watcher.close();
    this.#watched.delete(name);
  }
}
