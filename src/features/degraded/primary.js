/** What the workers of an app are doing now: their requests, and whether their memory only grows. */
import { reportEvent } from '../../primary/worker/report.js';
import { growthOf, judgeLoad, recentSamples, sumOfAnswers } from './decide.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Facts, Sample } from './decide.js'
 * @import { WorkerLoad } from './record.js'
 *
 * @typedef {object} Counted by an agent
 * @property {number} atMs monotonic
 * @property {number} open
 * @property {number} oldestMs
 * @property {number} answered since the worker started
 * @property {number} errors
 */

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 5000;
const WEIGH_EVERY_MS = 5000;

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
      worker.agent?.channel.on('beat', ({ load }) => history.note(load));
      this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    });
  }

  /** @returns {WorkerLoad[]} */
  all() {
    return this.#online().map(([worker, history]) => ({
      pid: /** @type {number} */ (worker.pid),
      requests: history.requests,
      memoryGrowth: history.memoryGrowth,
    }));
  }

  /** @returns {[WorkerHandle, WorkerHistory][]} */
  #online() {
    return [...this.#pool.workers.values()].flatMap((worker) => {
      const history = this.#histories.get(worker);
      const isOnline = worker.status === 'online' && worker.pid !== null;
      return history && isOnline ? [[worker, history]] : [];
    });
  }

  #look() {
    if (this.#pool.workers.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const online = this.#online();
    const known = online.map(([worker, history]) => ({ worker, history, facts: history.facts }));
    const all = sumOfAnswers(known.map(({ facts }) => facts));
    for (const { worker, history, facts } of known) {
      const verdict = judgeLoad(facts, all);
      if (verdict === history.verdict) continue;
      history.verdict = verdict;
      if (verdict === null) reportEvent(worker, 'worker.recovered');
      else reportEvent(worker, 'worker.degraded', describeLoad(verdict, facts));
    }
  }
}

/** @param {'waits' | 'errors' | 'memory'} verdict @param {Facts} facts @returns {string} in words that follow 'it' */
function describeLoad(verdict, { oldestMs, answered, errors, memoryGrowth = 0 }) {
  if (verdict === 'waits') return `has not answered a request for ${Math.round(oldestMs / 1000)} s`;
  if (verdict === 'errors') return `answered ${errors} of its last ${answered} requests with 5xx`;
  return `uses ${Math.round(memoryGrowth / 1024 ** 2)} MiB more each minute`;
}

/** What is known of one worker. */
class WorkerHistory {
  /** @type {ReturnType<typeof judgeLoad>} */
  verdict = null;
  /** @type {number | null} */
  memoryGrowth = null;
  /** Of the last minute, and the one before it. @type {Counted[]} */
  #counted = [];
  /** @type {Sample[]} */
  #memory = [];

  /** @param {any} load which programs can forge */
  note(load) {
    const { bytes, requests } = load ?? {};
    const atMs = performance.now();
    if (isCount(bytes)) this.#weigh({ atMs, bytes });
    const { open, oldestMs, answered, errors } = requests ?? {};
    if (![open, oldestMs, answered, errors].every(isCount)) return;
    this.#counted.push({ atMs, open, oldestMs, answered, errors });
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
      answered: last.answered - answered,
      errors: last.errors - errors,
    };
  }

  /** @returns {Facts} */
  get facts() {
    const { oldestMs = 0, answered = 0, errors = 0 } = this.requests ?? {};
    const memoryGrowth = this.memoryGrowth ?? undefined;
    return { oldestMs, answered, errors, ...(memoryGrowth !== undefined && { memoryGrowth }) };
  }
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isFinite(value) && Number(value) >= 0;
}
