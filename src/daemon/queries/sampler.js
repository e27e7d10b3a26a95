/**
 * Takes samples on demand: of CPU and memory, by pidusage, and of what workers measure. A fresh sample is shared; if the last one is too old, two are taken,
 * since a rate needs two.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import { onDemand } from '../../shared/package/on-demand.js';

/** @import { Usage } from '../../protocol/shapes.js' */

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

const require = createRequire(import.meta.url);
/** The daemon listens earlier without it. */
const pidusage = onDemand(() => /** @type {typeof import('pidusage')} */ (require('pidusage')));
const SPAN_MS = 150;

/** @typedef {Record<number, Usage | undefined>} Usages by pid, without processes that have exited */

export class Metrics {
  /** @type {Sampler<number, Usages>} */
  #sampler;

  /** @param {(pids: number[]) => Promise<Usages>} [measure] the CPU load since its last call */
  constructor(measure = measureQuietly) {
    // Given a single pid, pidusage throws if that process has exited.
    this.#sampler = new Sampler((pids) => measure([...pids]).catch(() => ({})), SPAN_MS);
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<Map<number, Usage>>} without processes that have exited
   */
  async sample(pids) {
    const samples = await Promise.all(this.#sampler.sample(pids));
    return new Map(
      pids.flatMap((pid, index) => {
        const usage = samples[index][pid];
        return usage ? [[pid, rounded(usage)]] : [];
      }),
    );
  }
}

/**
 * Without `getconf`, as in a minimal image, pidusage assumes 4 KiB and 100 Hz, and prints a stack trace.
 * @param {number[]} pids
 */
async function measureQuietly(pids) {
  process.env.PIDUSAGE_SILENT = '1';
  try {
    return await pidusage()(pids);
  } finally {
    delete process.env.PIDUSAGE_SILENT;
  }
}

/** @param {Usage} usage */
function rounded({ cpu, memory, ctime }) {
  return { cpu: Math.round(cpu * 10) / 10, memory, ctime };
}
