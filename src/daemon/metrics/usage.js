/** CPU and memory of processes; the only one that knows pidusage. */
import { setTimeout as sleep } from 'node:timers/promises';
import pidusage from 'pidusage';

/** ms for which a sample is good: two clients that ask at once share it. */
const FRESH_MS = 400;
/** ms; the load since a look longer ago than this is none of now. */
const RECENT_MS = 5000;
/** ms between two looks when the last one is not recent. */
const SPAN_MS = 150;

/** @import { Usage } from '../../protocol/shapes.js' */

/** @typedef {Record<number, Usage | undefined>} Look by pid; nothing of those that are gone */

/**
 * Usage is what was used since the last look at a process. Nobody looks while nobody asks, so who
 * asks after a while has it looked at twice.
 */
export class Metrics {
  /** @type {Map<number, {at: number, usage: Promise<Usage | null>}>} by pid */
  #samples = new Map();
  #look;

  /** @param {(pids: number[]) => Promise<Look>} [look] at all of them in one pass */
  constructor(look = (pids) => pidusage(pids)) {
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
    const due = pids.filter((pid) => now - (this.#samples.get(pid)?.at ?? -Infinity) >= FRESH_MS);
    if (due.length > 0) this.#measure(due, now);
    /** @type {Map<number, Usage>} */
    const usages = new Map();
    for (const pid of pids) {
      const usage = await this.#samples.get(pid)?.usage;
      if (usage) usages.set(pid, usage);
    }
    return usages;
  }

  /**
   * @param {number[]} pids
   * @param {number} now
   */
  #measure(pids, now) {
    const unknown = pids.filter((pid) => !this.#samples.has(pid));
    const measured = this.#lookTwice(pids, unknown);
    for (const pid of pids) {
      const usage = measured.then((look) => rounded(look[pid]));
      this.#samples.set(pid, { at: now, usage });
    }
  }

  /**
   * @param {number[]} pids
   * @param {number[]} unknown those of them that nobody has looked at of late
   * @returns {Promise<Look>}
   */
  async #lookTwice(pids, unknown) {
    if (unknown.length > 0) {
      await this.#lookAt(unknown);
      await sleep(SPAN_MS);
    }
    return this.#lookAt(pids);
  }

  /**
   * @param {number[]} pids
   * @returns {Promise<Look>}
   */
  async #lookAt(pids) {
    try {
      return await this.#look([...pids]);
    } catch {
      return {}; // the only one is gone
    }
  }
}

/** @param {Usage | undefined} usage */
function rounded(usage) {
  if (!usage) return null;
  const { cpu, memory, ctime } = usage;
  return { cpu: Math.round(cpu * 10) / 10, memory, ctime };
}
