/** What the workers of an app are doing now: their requests, and whether their memory only grows. */
import { formatDuration } from '../../shared/units.js';
import { growthOf, isFailing, judgeLoad, recentSamples } from './decide.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { Replacements } from '../../primary/pool/replacements.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Load } from '../../primary/worker/agent-link.js'
 * @import { Facts } from './decide.js'
 * @import { WorkerLoad } from './record.js'
 */

const LOOK_EVERY_MS = 5000;

/** @type {MakeFeature} */
export function degraded({ pool, replacements }) {
  /** @type {WeakMap<WorkerHandle, WorkerHistory>} */
  const histories = new WeakMap();
  /** Runs only while there are workers: a primary may lose an app and live on. @type {NodeJS.Timeout | undefined} */
  let timer;
  pool.on('worker', (/** @type {WorkerHandle} */ worker) => {
    const history = new WorkerHistory();
    histories.set(worker, history);
    const { agent } = worker;
    agent?.channel.on('beat', () => agent.load && history.note(agent.load));
    worker.on('event', ({ type, durationMs = 0 }) => {
      if (type === 'worker.responsive') history.noteBlock(durationMs);
    });
    timer ??= setInterval(look, LOOK_EVERY_MS).unref();
  });
  return {
    methods: {
      loads: () => ({ workers: judge().map(loadOf) }),
    },
  };

  function judge() {
    return judgeAll(pool, replacements, histories);
  }

  function look() {
    if (pool.workers.length === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    for (const { worker, history, facts, verdict } of judge()) {
      const failing = isFailing(verdict, facts);
      // One that varies around the limit is not reported again and again.
      if (verdict === history.verdict && (history.isFailing || !failing)) continue;
      Object.assign(history, { verdict, isFailing: failing });
      const type = failing ? 'worker.failing' : 'worker.degraded';
      if (verdict === null) worker.reportEvent('worker.recovered');
      else worker.reportEvent(type, describeLoad(verdict, facts));
    }
  }
}

/** @param {ReturnType<typeof judgeAll>[number]} judged @returns {WorkerLoad} */
function loadOf({ worker, pid, load, facts: { failedReplacement }, verdict }) {
  const lastError = verdict === 'errors' && worker.output.lastError;
  const degraded = verdict ?? undefined;
  return {
    pid,
    ...load,
    degraded,
    ...(failedReplacement && { failedReplacement }),
    ...(lastError && { lastError }),
  };
}

/** The workers that are online. @param {WorkerPool} pool @param {Replacements} replacements @param {WeakMap<WorkerHandle, WorkerHistory>} histories */
function judgeAll(pool, replacements, histories) {
  const now = Date.now();
  return pool.workers.flatMap((worker) => {
    const { pid, status } = worker;
    const history = histories.get(worker);
    if (!history || status !== 'online' || pid === null) return [];
    const { load } = history;
    const { requests, memoryGrowth } = load;
    const { oldestSince = now, unansweredSince = now, answered = 0, errors = 0 } = requests ?? {};
    const times = { oldestMs: now - oldestSince, unansweredMs: now - unansweredSince };
    const failedReplacement = replacements.failuresOf(worker);
    const facts = { ...times, answered, errors, memoryGrowth, failedReplacement };
    return [{ worker, pid, history, load, facts, verdict: judgeLoad(facts, history.verdict) }];
  });
}

const MINUTE_MS = 60_000;
const KEEP_EVERY_MS = 1000;
/** What blocks an event loop now and then, such as a report, is not over because it turns at the moment. */
const BLOCK_KNOWN_MS = 5 * MINUTE_MS;

/** What the heartbeats of one worker say of its requests and its memory. */
export class WorkerHistory {
  /** @type {ReturnType<typeof judgeLoad>} */
  verdict = null;
  isFailing = false;
  /** atMs: monotonic. @type {(Load & {atMs: number})[]} */
  #loads = [];
  /** untilMs: monotonic. @type {{untilMs: number, ms: number} | null} */
  #block = null;

  /** @param {() => number} clock monotonic, in ms */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
  }

  /** @param {Load} load which programs can forge, also very often */
  note(load) {
    const atMs = this.clock();
    const [before, last] = this.#loads.slice(-2);
    if (last && last.atMs - before.atMs < KEEP_EVERY_MS) this.#loads.pop();
    this.#loads = [...recentSamples(this.#loads, atMs), { atMs, ...load }];
  }

  /** @param {number} ms for which its event loop was blocked until now */
  noteBlock(ms) {
    this.#block = { untilMs: this.clock(), ms };
  }

  get load() {
    const memoryGrowth = growthOf(this.#loads, this.verdict === 'memory');
    return { requests: this.#requests, memoryGrowth, lastBlock: this.#lastBlock };
  }

  /** @returns {WorkerLoad['lastBlock']} */
  get #lastBlock() {
    const { untilMs = -Infinity, ms = 0 } = this.#block ?? {};
    const agoMs = this.clock() - untilMs;
    return agoMs < BLOCK_KNOWN_MS ? { until: Date.now() - Math.round(agoMs), ms } : undefined;
  }

  /** @returns {WorkerLoad['requests']} answered in the last minute; undefined: nothing was reported */
  get #requests() {
    const last = this.#loads.at(-1);
    if (!last) return undefined;
    const nowMs = this.clock();
    const old = this.#loads.filter(({ atMs }) => nowMs - atMs >= MINUTE_MS);
    const { answered = 0, errors = 0 } = old.at(-1) ?? {};
    // It waits on while no report comes: a blocked event loop answers nothing.
    const oldestMs = Math.round(last.oldestMs + nowMs - last.atMs);
    const isWaiting = last.oldestMs > 0;
    const now = Date.now();
    return {
      open: last.open,
      oldestSince: isWaiting ? now - oldestMs : undefined,
      unansweredSince: isWaiting ? now - Math.round(nowMs - this.#unansweredSinceMs) : undefined,
      answered: Math.max(0, last.answered - answered),
      errors: Math.max(0, last.errors - errors),
    };
  }

  /** Clients give up, so that the oldest request may be a later one. @returns {number} monotonic, while requests wait */
  get #unansweredSinceMs() {
    const answered = this.#loads.at(-1)?.answered;
    const isSame = this.#loads.map((load) => load.answered === answered && load.oldestMs > 0);
    const before = isSame.lastIndexOf(false);
    const { atMs, oldestMs } = this.#loads[before + 1];
    const hasAnswered = before >= 0 && this.#loads[before].answered !== answered;
    return hasAnswered ? atMs : atMs - oldestMs;
  }
}

/** @param {NonNullable<ReturnType<typeof judgeLoad>>} verdict @param {Facts} facts @returns {string} in words that follow 'it' */
function describeLoad(verdict, facts) {
  const {
    oldestMs,
    unansweredMs = 0,
    answered,
    errors,
    memoryGrowth = 0,
    failedReplacement,
  } = facts;
  if (isFailing('waits', facts)) {
    return `has answered no request for ${formatDuration(unansweredMs)}`;
  }
  if (verdict === 'waits') return `has not answered a request for ${formatDuration(oldestMs)}`;
  if (verdict === 'errors') return `answered ${errors} of its last ${answered} requests with 5xx`;
  if (verdict === 'replacement' && failedReplacement) {
    const { why, reason } = failedReplacement;
    return `${why} and could not be replaced: the next one ${reason}`;
  }
  return `uses ${Math.round(memoryGrowth / 1024 ** 2)} MiB more each minute`;
}
