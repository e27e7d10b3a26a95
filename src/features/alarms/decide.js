/**
 * When the deliveries of one alarm begin, are tried again and are given up.
 *
 * The first event is delivered at once. For each type a delivery begins at most once per interval, and the
 * events that come meanwhile wait together, as one notice with their number. So an alarm whose command
 * causes the same event again goes on at that pace and no faster, and no more notices can wait than there
 * are types of events. One delivery is in progress at a time.
 */

/** ms before the second, the third … attempt. After the last one it is given up. */
const RETRY_AFTER_MS = [1000, 5000, 30_000, 120_000];

/**
 * @typedef {{type: string, at: number}} Occurrence an event, of which nothing else matters here
 *
 * @typedef {object} Notice events of one type that are delivered together
 * @property {Occurrence} event the last one
 * @property {number} count
 * @property {number} firstAt epoch ms
 * @property {number} attempts that have failed
 * @property {string | null} reason why the last one failed
 * @property {number} dueMs monotonic
 *
 * @typedef {{reason: string, isFinal: boolean}} Failure isFinal: another attempt would fail for the same reason
 */

/** All times are monotonic. */
export class Notices {
  /** By type. @type {Map<string, Notice>} */
  #waiting = new Map();
  /** By type. @type {Map<string, number>} */
  #quietUntilMs = new Map();
  /** What is being delivered. @type {Notice | null} */
  #current = null;

  /** @returns those that are not delivered yet */
  get all() {
    return [this.#current ?? [], ...this.#waiting.values()].flat();
  }

  /** @param {Occurrence} event @param {number} nowMs */
  add(event, nowMs) {
    const known = this.#waiting.get(event.type);
    const dueMs = Math.max(nowMs, this.#quietUntilMs.get(event.type) ?? 0);
    const first = { count: 0, firstAt: event.at, attempts: 0, reason: null, dueMs };
    const { count, ...others } = known ?? first;
    this.#waiting.set(event.type, { ...others, event, count: count + 1 });
  }

  /** @returns {number | null} when the next one is due; null: there is none, or one is being delivered */
  get dueMs() {
    const times = [...this.#waiting.values()].map(({ dueMs }) => dueMs);
    return this.#current === null && times.length > 0 ? Math.min(...times) : null;
  }

  /** @param {number} nowMs @param {number} intervalMs @returns {Notice} the one that is due */
  begin(nowMs, intervalMs) {
    const [first] = [...this.#waiting.values()].sort((one, other) => one.dueMs - other.dueMs);
    this.#waiting.delete(first.event.type);
    this.#quietUntilMs.set(first.event.type, nowMs + intervalMs);
    this.#current = first;
    return first;
  }

  /**
   * The attempt has ended.
   * @param {Notice} notice
   * @param {Failure | null} failure null: it was delivered
   * @param {number} nowMs
   * @returns {Notice | null} what is given up
   */
  end(notice, failure, nowMs) {
    this.#current = null;
    if (failure === null) return null;
    const failed = { ...notice, attempts: notice.attempts + 1, reason: failure.reason };
    const delayMs = RETRY_AFTER_MS[notice.attempts];
    if (failure.isFinal || delayMs === undefined) return failed;
    const { event, count } = this.#waiting.get(notice.event.type) ?? {
      event: notice.event,
      count: 0,
    };
    const again = { ...failed, event, count: notice.count + count, dueMs: nowMs + delayMs };
    this.#waiting.set(event.type, again);
    return null;
  }
}
