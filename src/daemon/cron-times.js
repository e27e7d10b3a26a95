/** Checks the pattern of one `cron_restart` or `schedule` against the clock. */
import { parseCronPattern } from '../config/types/cron.js';

/** A timer does not notice that the clock was set, so the clock is checked at least this often. */
const CHECK_EVERY_MS = 30_000;
/** A time that is longer ago is left out: the clock was set past it, or the machine slept. */
const LATE_MS = 120_000;
/** A clock that was ahead by more was wrong: to keep its times would make the app wait too long. */
const AHEAD_MS = 25 * 3_600_000;

/** @param {string} pattern @param {string | null} timezone @param {() => void} onDue called at each of its times, until end() */
export function startTimes(pattern, timezone, onDue) {
  const times = new CronTimes(pattern, Date.now(), timezone);
  times.start(onDue);
  return times;
}

export class CronTimes {
  #nextAfter;
  #checkedMs;
  /** No time until then comes again. @type {number} */
  #passedMs = -Infinity;
  /** The first time after that, kept until it has passed, wherever the clock goes. @type {number | null} */
  #dueMs = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {string} pattern
   * @param {number} nowMs epoch
   * @param {string | null} [timezone] default: that of this process
   * @throws {Error} what is wrong with the pattern
   */
  constructor(pattern, nowMs, timezone) {
    this.#nextAfter = parseCronPattern(pattern, timezone ?? undefined);
    this.#checkedMs = nowMs;
    this.#pass(nowMs);
  }

  /** @param {() => void} onDue called at each of its times, until end() */
  start(onDue) {
    this.#timer = setTimeout(() => {
      const isDue = this.check(Date.now());
      this.start(onDue);
      if (isDue) onDue();
    }, this.waitMs);
  }

  end() {
    clearTimeout(this.#timer);
  }

  /** @returns {Date | null} null: there is no further time */
  get next() {
    return this.#dueMs === null ? null : new Date(this.#dueMs);
  }

  get waitMs() {
    return Math.min((this.#dueMs ?? Infinity) - this.#checkedMs, CHECK_EVERY_MS);
  }

  /**
   * Of several times since the last check, only one counts.
   * @param {number} nowMs epoch
   * @returns {boolean} whether it is due
   */
  check(nowMs) {
    this.#checkedMs = nowMs;
    if (nowMs < this.#passedMs - AHEAD_MS) this.#pass(nowMs);
    if (nowMs < (this.#dueMs ?? this.#passedMs)) return false;
    const dueMs = this.#dueMs ?? Infinity;
    this.#pass(nowMs);
    const lateMs = nowMs - LATE_MS;
    return (dueMs < lateMs ? (this.#timeAfter(lateMs) ?? Infinity) : dueMs) <= nowMs;
  }

  /** @param {number} nowMs epoch */
  #pass(nowMs) {
    this.#passedMs = nowMs;
    this.#dueMs = this.#timeAfter(nowMs);
  }

  /** @param {number} ms epoch */
  #timeAfter(ms) {
    const nextMs = this.#nextAfter(ms);
    // One that is not later would be due at once, and at every check.
    return nextMs !== null && nextMs > ms ? nextMs : null;
  }
}
