/** Replaces workers that use more memory than `max_memory_restart`. */
import { recentReplacements } from '../../lifecycle/replacement-policy.js';
import { slotsOverMemory } from './decide.js';
import { replaceWorkers } from '../../daemon/control/verbs.js';
import { formatSize } from '../../shared/units.js';

/**
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Log } from '../../daemon/log.js'
 * @import { Usage } from '../../protocol/shapes.js'
 * @import { Metrics } from '../../daemon/queries/usage.js'
 */

const CHECK_EVERY_MS = 5000;

/** @type {MakeFeature} */
export function wear(daemon) {
  const { metrics, log } = daemon;
  const limits = new MemoryLimits({
    metrics,
    replaceWorkers: (...order) => replaceWorkers(daemon, ...order),
    log,
  });
  return { sync: (app) => limits.sync(app) };
}

/**
 * @typedef {{slot: number, pid: number}} Running
 * @typedef {(app: App, workers: Running[], how: string) => Promise<unknown>} ReplaceWorkers replaces
 *   those that still run; how: what they did, in words that follow 'it'
 */

class MemoryLimits {
  /** Monotonic ms at which each slot was replaced. @type {Map<App, Map<number, number[]>>} */
  #apps = new Map();
  /** Runs only while an app has a limit. @type {NodeJS.Timeout | undefined} */
  #timer;
  #metrics;
  #replaceWorkers;
  #log;

  /**
   * @param {object} options
   * @param {Metrics} options.metrics
   * @param {ReplaceWorkers} options.replaceWorkers
   * @param {Log} options.log
   */
  constructor({ metrics, replaceWorkers, log }) {
    this.#metrics = metrics;
    this.#replaceWorkers = replaceWorkers;
    this.#log = log;
  }

  /** @param {App} app that may have changed */
  sync(app) {
    const isLimited = !app.stopped && !app.deleted && app.spec.maxMemoryRestartBytes !== null;
    if (!isLimited) this.#apps.delete(app);
    else if (!this.#apps.has(app)) this.#apps.set(app, new Map());
    if (this.#apps.size > 0) {
      this.#timer ??= setInterval(() => this.#check(), CHECK_EVERY_MS);
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  async #check() {
    // A command in progress decides which workers there are.
    const apps = [...this.#apps.keys()].filter(
      ({ link, queue }) => link.state === 'connected' && queue.current === null,
    );
    const running = new Map(apps.map((app) => [app, runningIn(app)]));
    const pids = [...running.values()].flat().map(({ pid }) => pid);
    const usages = await this.#metrics.sample(pids);
    for (const [app, workers] of running) this.#replaceLarge(app, workers, usages);
  }

  /** @param {App} app @param {Running[]} workers @param {Map<number, Usage>} usages by pid */
  #replaceLarge(app, workers, usages) {
    const replaced = this.#apps.get(app);
    const limit = app.spec.maxMemoryRestartBytes;
    if (!replaced || limit === null || app.queue.current !== null) return;
    const nowMs = performance.now();
    const views = workers.map(({ slot, pid }) => ({
      slot,
      memory: usages.get(pid)?.memory ?? null,
      replacedMs: replaced.get(slot) ?? [],
    }));
    const slots = slotsOverMemory({ limit, workers: views, nowMs });
    if (slots.length === 0) return;
    for (const { slot, memory, replacedMs } of views.filter((view) => slots.includes(view.slot))) {
      replaced.set(slot, [...recentReplacements(replacedMs, nowMs), nowMs]);
      const uses = formatSize(memory ?? 0);
      const maxMemoryRestart = formatSize(limit);
      this.#log.warn('worker.memory', { app: app.name, slot, uses, maxMemoryRestart });
    }
    const large = workers.filter(({ slot }) => slots.includes(slot));
    const how = `used more memory than its max_memory_restart of ${formatSize(limit)}`;
    this.#replaceWorkers(app, large, how).catch((thrown) =>
      this.#log.error('worker.replace-failed', { app: app.name, reason: String(thrown) }),
    );
  }
}

/** @param {App} app @returns {Running[]} */
function runningIn({ link }) {
  return (link.snapshot?.slots ?? []).flatMap(({ slot, pid, status }) =>
    pid !== null && (status === 'online' || status === 'unresponsive') ? [{ slot, pid }] : [],
  );
}
