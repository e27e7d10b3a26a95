/**
 * When the deliveries of one alarm begin, are tried again and are given up. The events of a type that come within an
 * interval wait as one notice, which bounds the queue and an alarm that causes its own event.
 */

/** ms before the second, the third … attempt. After the last one it is given up. */
const RETRY_AFTER_MS = [1000, 5000, 30_000, 120_000];

/**
 * @typedef {Record<string, any> & {type: string, at: number}} Occurrence an event
 *
 * @typedef {object} Notice events of one type that are delivered together
 * @property {Occurrence} event the last one
 * @property {number} count
 * @property {number} firstAt
 * @property {number} attempts that have failed
 * @property {string | null} reason why the last one failed
 * @property {number} dueMs monotonic
 */

export class Notices {
  /** By type. @type {Map<string, Notice>} */
  #waiting = new Map();
  /** By type. @type {Map<string, number>} */
  #quietUntilMs = new Map();
  /** What is being delivered. @type {Notice | null} */
  #current = null;

  get all() {
    return [this.#current ?? [], ...this.#waiting.values()].flat();
  }

  /** @param {Occurrence} event @param {number} nowMs */
  add(event, nowMs) {
    const dueMs = Math.max(nowMs, this.#quietUntilMs.get(event.type) ?? 0);
    const first = { count: 0, firstAt: event.at, attempts: 0, reason: null, dueMs };
    const known = this.#waiting.get(event.type) ?? first;
    this.#waiting.set(event.type, { ...known, event, count: known.count + 1 });
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

  /** @param {Notice} notice @param {string | null} reason why it failed @param {number} nowMs @returns what is given up */
  end(notice, reason, nowMs) {
    this.#current = null;
    if (reason === null) return null;
    const { event, count, attempts } = notice;
    const failed = { ...notice, attempts: attempts + 1, reason };
    if (attempts === RETRY_AFTER_MS.length) return failed;
    const more = this.#waiting.get(event.type) ?? { event, count: 0 };
    const dueMs = nowMs + RETRY_AFTER_MS[attempts];
    const again = { ...failed, event: more.event, count: count + more.count, dueMs };
    this.#waiting.set(event.type, again);
    return null;
  }
}
