/** What the heartbeats of one worker say of its requests and its memory. */
import { growthOf, recentSamples } from './decide.js';

/**
 * @import { Load } from '../../primary/worker/agent-link.js'
 * @import { Facts, Sample, judgeLoad } from './decide.js'
 * @import { WorkerLoad } from './record.js'
 *
 * @typedef {Load & {atMs: number}} Counted atMs: monotonic
 */

const MINUTE_MS = 60_000;
const COUNT_EVERY_MS = 1000;
const WEIGH_EVERY_MS = 5000;

export class WorkerHistory {
  /** @type {ReturnType<typeof judgeLoad>} */
  verdict = null;
  /** @type {number | null} */
  memoryGrowth = null;
  /** Of the last minute, and the one before it. @type {Counted[]} */
  #counted = [];
  /** @type {Sample[]} */
  #memory = [];

  /** @param {Load} load which programs can forge, also very often @param {number} [atMs] monotonic */
  note(load, atMs = performance.now()) {
    this.#weigh({ atMs, bytes: load.bytes });
    const [before, last] = this.#counted.slice(-2);
    if (last && last.atMs - before.atMs < COUNT_EVERY_MS) this.#counted.pop();
    this.#counted.push({ atMs, ...load });
    // The first one is a minute old, or the first of all.
    while (atMs - (this.#counted[1]?.atMs ?? atMs) >= MINUTE_MS) this.#counted.shift();
  }

  /** @param {Sample} sample */
  #weigh(sample) {
    const last = this.#memory.at(-1);
    if (last && sample.atMs - last.atMs < WEIGH_EVERY_MS) return;
    this.#memory = [...recentSamples(this.#memory, sample.atMs), sample];
    this.memoryGrowth = growthOf(this.#memory);
  }

  /** @returns {WorkerLoad['requests']} null: nothing was reported */
  get requests() {
    const last = this.#counted.at(-1);
    if (!last) return null;
    const [first] = this.#counted;
    const isYoung = last.atMs - first.atMs < MINUTE_MS;
    const { answered, errors } = isYoung ? { answered: 0, errors: 0 } : first;
    // It waits on while no report comes: a blocked event loop answers nothing.
    const sinceMs = last.oldestMs > 0 ? performance.now() - last.atMs : 0;
    return {
      open: last.open,
      oldestMs: Math.round(last.oldestMs + sinceMs),
      answered: Math.max(0, last.answered - answered),
      errors: Math.max(0, last.errors - errors),
    };
  }

  /** @returns {Facts} */
  get facts() {
    const { oldestMs = 0, answered = 0, errors = 0 } = this.requests ?? {};
    const memoryGrowth = this.memoryGrowth ?? undefined;
    return { oldestMs, answered, errors, ...(memoryGrowth !== undefined && { memoryGrowth }) };
  }
}
