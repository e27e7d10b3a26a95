/** What the workers of an app are doing now: their requests, and whether their memory only grows. */
import { growthOf, judgeLoad, recentSamples } from './decide.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Load } from '../../primary/worker/agent-link.js'
 * @import { Facts } from './decide.js'
 * @import { WorkerLoad } from './record.js'
 */

const LOOK_EVERY_MS = 5000;

/** @type {MakeFeature} */
export function degraded({ pool }) {
  const loads = new Loads(pool);
  return { methods: { loads: () => ({ workers: loads.all() }) } };
}

class Loads {
  #pool;
  /** @type {WeakMap<WorkerHandle, WorkerHistory>} */
  #histories = new WeakMap();
  /** Runs only while there are workers: a primary may lose an app and live on. @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {WorkerPool} pool */
  constructor(pool) {
    this.#pool = pool;
    pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
      const history = new WorkerHistory();
      this.#histories.set(worker, history);
      const { agent } = worker;
      agent?.channel.on('beat', () => agent.load && history.note(agent.load));
      this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    });
  }

  /** @returns {WorkerLoad[]} */
  all() {
    return this.#judged().map(({ worker, load, verdict }) => ({
      pid: /** @type {number} */ (worker.pid),
      ...load,
      degraded: verdict ?? undefined,
    }));
  }

  /** Of the workers that are online. */
  #judged() {
    const now = Date.now();
    return [...this.#pool.workers.values()].flatMap((worker) => {
      const history = this.#histories.get(worker);
      if (!history || worker.status !== 'online' || worker.pid === null) return [];
      const { load } = history;
      const { oldestSince = now, answered = 0, errors = 0 } = load.requests ?? {};
      const facts = {
        oldestMs: now - oldestSince,
        answered,
        errors,
        memoryGrowth: load.memoryGrowth,
      };
      return [{ worker, history, load, facts, verdict: judgeLoad(facts, history.verdict) }];
    });
  }

  #look() {
    if (this.#pool.workers.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const { worker, history, facts, verdict } of this.#judged()) {
      if (verdict === history.verdict) continue;
      history.verdict = verdict;
      if (verdict === null) worker.reportEvent('worker.recovered');
      else worker.reportEvent('worker.degraded', describeLoad(verdict, facts));
    }
  }
}

const MINUTE_MS = 60_000;
const KEEP_EVERY_MS = 1000;

/** What the heartbeats of one worker say of its requests and its memory. */
export class WorkerHistory {
  /** @type {ReturnType<typeof judgeLoad>} */
  verdict = null;
  /** atMs: monotonic. @type {(Load & {atMs: number})[]} */
  #loads = [];

  /** @param {Load} load which programs can forge, also very often @param {number} [atMs] monotonic */
  note(load, atMs = performance.now()) {
    const [before, last] = this.#loads.slice(-2);
    if (last && last.atMs - before.atMs < KEEP_EVERY_MS) this.#loads.pop();
    this.#loads = [...recentSamples(this.#loads, atMs), { atMs, ...load }];
  }

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

/** @param {'waits' | 'errors' | 'memory'} verdict @param {Facts} facts @returns {string} in words that follow 'it' */
function describeLoad(verdict, { oldestMs, answered, errors, memoryGrowth = 0 }) {
  if (verdict === 'waits') return `has not answered a request for ${Math.round(oldestMs / 1000)} s`;
  if (verdict === 'errors') return `answered ${errors} of its last ${answered} requests with 5xx`;
  return `uses ${Math.round(memoryGrowth / 1024 ** 2)} MiB more each minute`;
}
