/** What the heartbeats of one worker say of its requests and its memory. */
import { growthOf, recentSamples } from './decide.js';

/**
 * @import { Load } from '../../primary/worker/agent-link.js'
 * @import { judgeLoad } from './decide.js'
 * @import { WorkerLoad } from './record.js'
 *
 * @typedef {Load & {atMs: number}} Noted atMs: monotonic
 */

const MINUTE_MS = 60_000;
const KEEP_EVERY_MS = 1000;

export class WorkerHistory {
  /** @type {ReturnType<typeof judgeLoad>} */
  verdict = null;
  /** @type {Noted[]} */
  #loads = [];

  /** @param {Load} load which programs can forge, also very often @param {number} [atMs] monotonic */
  note(load, atMs = performance.now()) {
    const [before, last] = this.#loads.slice(-2);
    if (last && last.atMs - before.atMs < KEEP_EVERY_MS) this.#loads.pop();
    this.#loads = [...recentSamples(this.#loads, atMs), { atMs, ...load }];
  }

  /** @returns {Omit<WorkerLoad, 'pid'>} */
  get load() {
    return { requests: this.#requests, memoryGrowth: growthOf(this.#loads) };
  }

  /** @returns {WorkerLoad['requests']} answered in the last minute; undefined: nothing was reported */
  get #requests() {
    const last = this.#loads.at(-1);
    if (!last) return undefined;
    const old = this.#loads.filter(({ atMs }) => last.atMs - atMs >= MINUTE_MS);
    const { answered = 0, errors = 0 } = old.at(-1) ?? {};
    // It waits on while no report comes: a blocked event loop answers nothing.
    const oldestMs = Math.round(last.oldestMs + performance.now() - last.atMs);
    return {
      open: last.open,
      oldestSince: last.oldestMs > 0 ? Date.now() - oldestMs : undefined,
      answered: Math.max(0, last.answered - answered),
      errors: Math.max(0, last.errors - errors),
    };
  }
}
