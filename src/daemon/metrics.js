/** CPU and memory of processes; the only one that knows pidusage. */
import { setTimeout as sleep } from 'node:timers/promises';
import pidusage from 'pidusage';

/** ms for which a sample is good: two clients that ask at once share it. */
const FRESH_MS = 1000;
/** ms; the load since a look longer ago than this is none of now. */
const RECENT_MS = 5000;
/** ms between two looks when the last one is not recent. */
const SPAN_MS = 150;

/** @typedef {{cpu: number, memory: number}} Usage percent of one core, bytes of RSS */

/**
 * Usage is what was used since the last look at a process. Nobody looks while nobody asks, so who
 * asks after a while has it looked at twice.
 */
export class Metrics {
  /** @type {Map<number, {at: number, usage: Promise<Usage | null>}>} by pid */
  #samples = new Map();
  #look;

  /** @param {(pid: number) => Promise<Usage>} [look] */
  constructor(look = (pid) => pidusage(pid)) {
    this.#look = look;
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<Map<number, Usage>>} without those that are gone
   */
  async sample(pids) {
    const now = performance.now();
    for (const [pid, { at }] of this.#samples) {
      if (now - at >= RECENT_MS) this.#samples.delete(pid);
    }
    const measured = await Promise.all(pids.map((pid) => this.#usageOf(pid, now)));
    /** @type {Map<number, Usage>} */
    const usages = new Map();
    measured.forEach((usage, index) => usage && usages.set(pids[index], usage));
    return usages;
  }

  /**
   * @param {number} pid
   * @param {number} now
   */
  #usageOf(pid, now) {
    const known = this.#samples.get(pid);
    if (known && now - known.at < FRESH_MS) return known.usage;
    const usage = this.#measure(pid, known !== undefined);
    this.#samples.set(pid, { at: now, usage });
    return usage;
  }

  /**
   * @param {number} pid
   * @param {boolean} isRecent whether the last look will do to compare with
   * @returns {Promise<Usage | null>}
   */
  async #measure(pid, isRecent) {
    try {
      if (!isRecent) {
        await this.#look(pid);
        await sleep(SPAN_MS);
      }
      const { cpu, memory } = await this.#look(pid);
      return { cpu: Math.round(cpu * 10) / 10, memory };
    } catch {
      return null;
    }
  }
}
