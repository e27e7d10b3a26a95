/** CPU and memory of processes; the only one that knows pidusage. */
import pidusage from 'pidusage';

/** ms for which a sample is good: two clients that ask at once share it. */
const FRESH_MS = 1000;

/** @typedef {{cpu: number, memory: number}} Usage percent of one core, bytes of RSS */

export class Metrics {
  /** @type {Map<number, {at: number, usage: Promise<Usage | null>}>} */
  #samples = new Map();

  /**
   * @param {number[]} pids
   * @returns {Promise<Map<number, Usage>>} without those that are gone
   */
  async sample(pids) {
    const now = performance.now();
    for (const [pid, { at }] of this.#samples) {
      if (now - at >= FRESH_MS) this.#samples.delete(pid);
    }
    const measured = await Promise.all(pids.map((pid) => this.#measure(pid, now)));
    /** @type {Map<number, Usage>} */
    const usages = new Map();
    measured.forEach((usage, index) => usage && usages.set(pids[index], usage));
    return usages;
  }

  /**
   * @param {number} pid
   * @param {number} now
   */
  #measure(pid, now) {
    const known = this.#samples.get(pid);
    if (known) return known.usage;
    const usage = pidusage(pid).then(
      ({ cpu, memory }) => ({ cpu: Math.round(cpu * 10) / 10, memory }),
      () => null,
    );
    this.#samples.set(pid, { at: now, usage });
    return usage;
  }
}
