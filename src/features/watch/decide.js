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

/** How often each file has caused a reload, the latest last. Times are monotonic. */
export class ReloadCauses {
  /** began: when those of the last minute did, moved by the pauses since. @type {Map<string, {times: number, pauseMs: number, began: number[]}>} */
  #files = new Map();

  /** @param {string} file that causes a reload @param {number} nowMs when it begins */
  note(file, nowMs) {
    for (const [each, { began }] of this.#files) {
      if (isOver(began, nowMs)) this.#files.delete(each);
    }
    const { times, began } = this.#files.get(file) ?? { times: 0, began: [] };
    const recent = [...began.filter((ms) => nowMs - ms < RECENT_MS), nowMs].slice(-MAX_RECENT);
    const isMany = recent.length >= MANY_RELOADS;
    const pauseMs = isMany ? Math.min(MAX_PAUSE_MS, 1000 * 2 ** (recent.length - MANY_RELOADS)) : 0;
    this.#files.delete(file);
    const cause = { times: times + 1, pauseMs, began: recent.map((ms) => ms + pauseMs) };
    this.#files.set(file, cause);
  }

  /** @param {string} file @param {number} nowMs @returns {number} how long a reload for it waits */
  waitMs(file, nowMs) {
    return Math.max(0, (this.#files.get(file)?.began.at(-1) ?? nowMs) - nowMs);
  }

  /**
   * @param {number} nowMs
   * @returns {{file: string, times: number, pauseMs: number} | null} the latest cause, if it was one too often
   */
  latest(nowMs) {
    const [file, cause] = [...this.#files].at(-1) ?? [''];
    if (!cause || cause.pauseMs === 0 || isOver(cause.began, nowMs)) return null;
    return { file, times: cause.times, pauseMs: cause.pauseMs };
  }
}

/** More would not make the pause longer. */
const MAX_RECENT = MANY_RELOADS + Math.ceil(Math.log2(MAX_PAUSE_MS / 1000));

/** @param {number[]} began @param {number} nowMs */
function isOver(began, nowMs) {
  return nowMs - Number(began.at(-1)) >= RECENT_MS;
}
