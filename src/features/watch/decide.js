/** When a change leads to a reload, and what is said of it. */

/** While files keep changing, the reload happens after at most this many delays. */
const MAX_WATCH_DELAYS = 10;

/** @param {number} delay after the last change @param {number} waited since the first @returns ms until the reload */
export function watchDelay(delay, waited) {
  return Math.max(0, Math.min(delay, MAX_WATCH_DELAYS * delay - waited));
}

const RECENT_MS = 60_000;
/** A program that writes this file would be reloaded for ever. */
const MANY_RELOADS = 3;
const MAX_PAUSE_MS = 60_000;

/**
 * @typedef {object} Repeats of reloads by one file
 * @property {number} times
 * @property {number} lastMs when the last one began
 * @property {number} pauseMs from then on, for this file
 * @property {number[]} recent when those of the last minute began, pauses not counted
 * @property {number} pausedMs all pauses
 */

/** How often each file has caused a reload. Times are monotonic. */
export class ReloadCauses {
  /** @type {Map<string, Repeats>} */
  #files = new Map();

  /** @param {string} file that causes a reload @param {number} nowMs when it begins */
  note(file, nowMs) {
    for (const [each, { lastMs, pauseMs }] of this.#files) {
      if (nowMs - lastMs - pauseMs >= RECENT_MS) this.#files.delete(each);
    }
    const { times, recent: before, pausedMs } = this.#files.get(file) ?? NONE;
    const atMs = nowMs - pausedMs;
    const recent = [...before.filter((each) => atMs - each < RECENT_MS), atMs].slice(-MAX_RECENT);
    const isMany = recent.length >= MANY_RELOADS;
    const pauseMs = isMany ? Math.min(MAX_PAUSE_MS, 1000 * 2 ** (recent.length - MANY_RELOADS)) : 0;
    const repeats = {
      times: times + 1,
      lastMs: nowMs,
      recent,
      pauseMs,
      pausedMs: pausedMs + pauseMs,
    };
    // The latest is last.
    this.#files.delete(file);
    this.#files.set(file, repeats);
  }

  /** @param {string} file @param {number} nowMs @returns {number} how long a reload for it waits */
  waitMs(file, nowMs) {
    const { lastMs, pauseMs } = this.#files.get(file) ?? NONE;
    return Math.max(0, lastMs + pauseMs - nowMs);
  }

  /**
   * @param {number} nowMs
   * @returns {{file: string, times: number, pauseMs: number} | null} the latest cause, if it was one too often
   */
  latest(nowMs) {
    const [file, { times, lastMs, pauseMs }] = [...this.#files].at(-1) ?? ['', NONE];
    const isOver = nowMs - lastMs - pauseMs >= RECENT_MS;
    return pauseMs === 0 || isOver ? null : { file, times, pauseMs };
  }
}

/** More would not make the pause longer. */
const MAX_RECENT = MANY_RELOADS + Math.ceil(Math.log2(MAX_PAUSE_MS / 1000));
/** @type {Repeats} */
const NONE = { times: 0, lastMs: -Infinity, pauseMs: 0, recent: [], pausedMs: 0 };
