/**
 * Takes samples on demand. A fresh sample is shared; if the last one is too old, two are taken,
 * since a rate needs two.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const FRESH_MS = 400;
/** A rate measured since an older sample is not current. */
export const RECENT_MS = 5000;
/** Longer than the polling interval of any client. */
const MAX_AGE_MS = 300_000;

/**
 * @template K
 * @template T
 */
export class Sampler {
  /** @type {Map<K, {takenMs: number, leaseMs: number, sample: Promise<T>}>} */
  #samples = new Map();
  #take;
  #spanMs;

  /**
   * @param {(keys: K[], leaseMs: number) => Promise<T>} take samples all keys in one pass
   * @param {number} spanMs between two samples
   */
  constructor(take, spanMs) {
    this.#take = take;
    this.#spanMs = spanMs;
  }

  /**
   * @param {K[]} keys
   * @param {{leaseMs?: number, recentMs?: number}} [options]
   * @returns {Promise<T>[]} the sample that each key is part of
   */
  sample(keys, { leaseMs = 0, recentMs = RECENT_MS } = {}) {
    const nowMs = performance.now();
    for (const [key, { takenMs }] of this.#samples) {
      if (nowMs - takenMs >= MAX_AGE_MS) this.#samples.delete(key);
    }
    const isOlder = (/** @type {K} */ key, /** @type {number} */ ms) => {
      const last = this.#samples.get(key);
      return !last || nowMs - last.takenMs >= ms;
    };
    const hasLease = (/** @type {K} */ key) => (this.#samples.get(key)?.leaseMs ?? 0) >= leaseMs;
    const due = keys.filter((key) => isOlder(key, FRESH_MS) || !hasLease(key));
    if (due.length > 0) {
      const stale = due.filter((key) => isOlder(key, recentMs));
      const sample = this.#takeTwice(stale, due, leaseMs);
      for (const key of due) this.#samples.set(key, { takenMs: nowMs, leaseMs, sample });
    }
    return keys.flatMap((key) => this.#samples.get(key)?.sample ?? []);
  }

  /** @param {K[]} stale @param {K[]} due @param {number} leaseMs */
  async #takeTwice(stale, due, leaseMs) {
    if (stale.length > 0) {
      await this.#take(stale, leaseMs);
      await sleep(this.#spanMs);
    }
    return this.#take(due, leaseMs);
  }
}
