/** Checks the pattern of one `cron_restart` or `schedule` against the clock. */
import { parseCronPattern } from '../config/types/cron.js';

/** A timer does not notice that the clock was set, so the clock is checked at least this often. */
const CHECK_EVERY_MS = 30_000;
/** A time that is longer ago is left out: the clock was set past it, or the machine slept. */
const LATE_MS = 120_000;

export class CronTimes {
  #nextAfter;
  #checkedMs;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {string} pattern
   * @param {number} nowMs epoch
   * @param {string} [timezone] default: that of this process
   * @throws {Error} what is wrong with the pattern
   */
  constructor(pattern, nowMs, timezone) {
    this.#nextAfter = parseCronPattern(pattern, timezone);
    this.#checkedMs = nowMs;
  }

  /** @param {() => void} onDue called at each of its times, until stop() */
  start(onDue) {
    this.#timer = setTimeout(() => {
      const isDue = this.check(Date.now());
      this.start(onDue);
      if (isDue) onDue();
    }, this.waitMs);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  /** @returns {Date | null} the first time after the last check */
  get next() {
    const ms = this.#nextAfter(this.#checkedMs);
    return ms === null ? null : new Date(ms);
  }

  /** @returns {number} ms from the last check to the next */
  get waitMs() {
    const next = this.next?.getTime() ?? Infinity;
    return Math.min(next - this.#checkedMs, CHECK_EVERY_MS);
  }

  /**
   * Of several times since the last check, only one counts.
   * @param {number} nowMs epoch
   * @returns {boolean} whether it is due
   */
  check(nowMs) {
    const sinceMs = Math.max(this.#checkedMs, nowMs - LATE_MS);
    this.#checkedMs = nowMs;
    return (this.#nextAfter(sinceMs) ?? Infinity) <= nowMs;
  }
}
