/** What the workers of an app are doing now: their requests, and whether their memory only grows. */
import { readFileSync, statSync } from 'node:fs';
import { attempt } from '../../errors/error.js';
import { untilMoment } from '../../shared/monotonic.js';
import { growthOf, isFailing, judgeLoad, withSample } from './decide.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { Reason } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Load } from '../../primary/worker/agent-link.js'
 * @import { Facts, Sample } from './decide.js'
 */

const LOOK_EVERY_MS = 5000;

/** @type {MakeFeature} */
export function degraded({ pool, replacements }, _directory, guard) {
  /** @type {WeakMap<WorkerHandle, WorkerHistory>} */
  const histories = new WeakMap();
  /** Runs only while there are workers: a primary may lose an app and live on. @type {NodeJS.Timeout | undefined} */
  let timer;
  const lookLater = () => (timer ??= setTimeout(guard(look), untilMoment(LOOK_EVERY_MS)).unref());
  const follow = (/** @type {WorkerHandle} */ worker) => {
    const { agent } = worker;
    const history = new WorkerHistory();
    histories.set(worker, history);
    const note = guard(() => agent?.load && history.note(agent.load));
    agent?.channel.on('beat', note);
    lookLater();
  };
  pool.on('worker', guard(follow));
  return { methods: { loads: () => ({ workers: judge().map(({ load }) => load) }) } };

  /** The workers that are online. */
  function judge() {
    return pool.workers.flatMap((worker) => {
      const { pid, status } = worker;
      const history = histories.get(worker);
      if (!history || status !== 'online' || pid === null) return [];
      const { facts, verdict, load } = history.judge(pid, replacements.failuresOf(worker));
      const lastError = (verdict === 'errors' && worker.output.lastError) || undefined;
      return [{ worker, history, facts, verdict, load: { ...load, lastError } }];
    });
  }

  function look() {
    timer = undefined;
    if (pool.workers.length > 0) lookLater();
    for (const { worker, history, facts, verdict } of judge()) {
      const failing = isFailing(verdict, facts);
      // One that varies around the limit is not reported again and again.
      if (verdict === history.verdict && (history.isFailing || !failing)) continue;
      Object.assign(history, { verdict, isFailing: failing });
      const type = failing ? 'worker.failing' : 'worker.degraded';
      if (verdict === null) worker.reportEvent('worker.recovered');
      else worker.reportEvent(type, { reason: reasonOf(verdict, facts) });
    }
  }
}

const MINUTE_MS = 60_000;
const KEEP_EVERY_MS = 1000;
const NO_REQUESTS = { open: 0, oldestMs: 0, unansweredMs: 0, answered: 0, errors: 0 };

/** What the heartbeats of one worker say of its requests and its memory. */
export class WorkerHistory {
  /** @type {ReturnType<typeof judgeLoad>} */
  verdict = null;
  isFailing = false;
  troubleSince = /** @type {number | undefined} */ (undefined);
  /** Of the last minute, and one before; atMs: monotonic. @type {(Load & {atMs: number})[]} */
  #loads = [];
  /** @type {Sample[]} */
  #memory = [];
  /** Clients give up, so that the oldest request may be a later one. @type {number | null} */
  #waitsSinceMs = null;

  /** @param {() => number} clock monotonic, in ms */
  constructor(clock = () => performance.now()) {
    this.clock = clock;
  }

  /** @param {Load} load which programs can forge, also very often */
  note(load) {
    const atMs = this.clock();
    const { answered = load.answered } = this.#loads.at(-1) ?? {};
    if (load.oldestMs === 0) this.#waitsSinceMs = null;
    else if (answered !== load.answered) this.#waitsSinceMs = atMs;
    else this.#waitsSinceMs ??= atMs - load.oldestMs;
    this.#memory = withSample(this.#memory, { atMs, bytes: load.bytes });
    const [before, last] = this.#loads.slice(-2);
    if (last && last.atMs - before.atMs < KEEP_EVERY_MS) this.#loads.pop();
    const old = this.#loads.filter((each) => atMs - each.atMs >= MINUTE_MS).length;
    this.#loads = [...this.#loads.slice(Math.max(0, old - 1)), { atMs, ...load }];
  }

  /** @param {number} pid @param {Facts['failedReplacement']} failedReplacement */
  judge(pid, failedReplacement) {
    const { load } = this;
    const files = attempt(() => openFiles(pid), undefined);
    const facts = { ...this.#requests, memoryGrowth: load.memoryGrowth, files, failedReplacement };
    const verdict = judgeLoad(facts, this.verdict);
    const degraded = verdict ?? undefined;
    this.troubleSince = degraded && (this.troubleSince ?? Date.now());
    const state = { degraded, troubleSince: this.troubleSince, files };
    const failure = failedReplacement && { failedReplacement };
    return { facts, verdict, load: { pid, ...load, ...state, ...failure } };
  }

  get load() {
    const memoryGrowth = growthOf(this.#memory, this.verdict === 'memory');
    const { oldestMs, unansweredMs, ...counts } = this.#requests;
    const since = (/** @type {number} */ ms) =>
      oldestMs > 0 ? Date.now() - Math.round(ms) : undefined;
    const known = { ...counts, oldestSince: since(oldestMs), unansweredSince: since(unansweredMs) };
    return { requests: this.#loads.length > 0 ? known : undefined, memoryGrowth };
  }

  /** Answered in the last minute. */
  get #requests() {
    const last = this.#loads.at(-1);
    if (!last) return NO_REQUESTS;
    const nowMs = this.clock();
    const old = this.#loads.filter(({ atMs }) => nowMs - atMs >= MINUTE_MS);
    const { answered = 0, errors = 0 } = old.at(-1) ?? {};
    return {
      open: last.open,
      // It waits on while no report comes: a blocked event loop answers nothing.
      oldestMs: last.oldestMs > 0 ? last.oldestMs + nowMs - last.atMs : 0,
      unansweredMs: last.oldestMs > 0 ? nowMs - (this.#waitsSinceMs ?? nowMs) : 0,
      answered: Math.max(0, last.answered - answered),
      errors: Math.max(0, last.errors - errors),
    };
  }
}

const ALMOST_ALL = 0.95;

/** @param {number} pid @returns {Facts['files']} undefined: some are free, or the system does not say (Linux before 6.2) */
function openFiles(pid) {
  const open = statSync(`/proc/${pid}/fd`).size;
  const [, limit] =
    /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8')) ?? [];
  return open >= ALMOST_ALL * Number(limit) ? { open, limit: Number(limit) } : undefined;
}

/** @param {NonNullable<ReturnType<typeof judgeLoad>>} verdict @param {Facts} facts @returns {Reason} */
function reasonOf(verdict, facts) {
  const { oldestMs, unansweredMs = 0, answered, errors, files, memoryGrowth = 0 } = facts;
  if (verdict === 'files' && files) return { kind: 'files', ...files };
  const isSilent = isFailing('waits', facts);
  const waitedMs = isSilent ? unansweredMs : oldestMs;
  if (verdict === 'waits') return { kind: verdict, ms: waitedMs, isSilent };
  if (verdict === 'errors') return { kind: 'errors', count: errors, total: answered };
  if (verdict === 'replacement' && facts.failedReplacement) return facts.failedReplacement.reason;
  return { kind: 'growth', bytesPerMinute: memoryGrowth };
}
