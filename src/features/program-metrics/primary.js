/** What the programs of workers count in registries of their own. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { channelTo } from '../../primary/worker/channel.js';
import { within } from '../../shared/deadline.js';
import { sharePending } from '../../shared/http-limits.js';
import { fitting, MAX_LENGTH, readFamilies, countsOf, Merged } from './families.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { ProgramMetrics } from './record.js'
 * @import { WorkerFamily } from './families.js'
 */

/**
 * The registries of the app's programs, added up over its workers. What a worker counted stays in the
 * sums after its exit. It is done here because the primary lives as long as those sums must
 * (docs/decisions/metrics.md).
 * @type {MakeFeature}
 */
export function programMetrics({ pool }) {
  /** The oldest one first. @type {Map<WorkerHandle, WorkerMetrics>} */
  const workers = new Map();
  /** Of workers that have exited. @type {readonly WorkerFamily[]} */
  let kept = [];
  const metricsOf = (/** @type {WorkerHandle} */ worker) => {
    const known = workers.get(worker);
    if (known || !worker.child) return known;
    const metrics = new WorkerMetrics(worker.child);
    workers.set(worker, metrics);
    worker.once('exit', () => {
      workers.delete(worker);
      kept = keep(kept, metrics.text);
    });
    return metrics;
  };
  const collect = async () => {
    const running = [...pool.workers.values()];
    await Promise.all(running.map((worker) => metricsOf(worker)?.ask()));
    // A worker that exits meanwhile must be counted once.
    const replies = [...workers.values()].map((metrics) => ({ ...metrics }));
    return merge(kept, replies);
  };
  return { methods: { 'program-metrics': sharePending(collect) } };
}

/**
 * @param {readonly WorkerFamily[]} kept of workers that have exited
 * @param {Pick<WorkerMetrics, 'text' | 'dropped' | 'failure' | 'isLate'>[]} workers
 * @returns {Promise<ProgramMetrics>}
 */
async function merge(kept, workers) {
  const merged = new Merged();
  merged.add(kept);
  let dropped = 0;
  for (const worker of workers) {
    const { families, dropped: invalid } = readFamilies(worker.text);
    merged.add(families);
    dropped = Math.max(dropped, invalid + worker.dropped);
    // Connections come first.
    await nextTurn();
  }
  const all = merged.families.filter(({ samples }) => samples.length > 0);
  const families = fitting(all, MAX_LENGTH);
  return {
    families: families.map(({ aggregator: _, ...family }) => family),
    dropped: dropped + all.length - families.length,
    late: workers.filter(({ isLate }) => isLate).length,
    failure: workers.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

/** @param {readonly WorkerFamily[]} kept @param {string} text of a worker that has exited */
function keep(kept, text) {
  const counts = countsOf(readFamilies(text).families);
  if (counts.length === 0) return kept;
  const merged = new Merged();
  merged.add(kept);
  merged.add(counts);
  // A label with a new value in each process would fill the memory.
  return fitting(merged.families, MAX_LENGTH);
}

/** How long the collect functions of the program may take. */
const READ_MS = 1000;
/** Added to that, since the event loop may be busy. */
const GRACE_MS = 250;
const MAX_REASON = 200;

/** What one worker last reported of the registry of its program. */
class WorkerMetrics {
  /** Not parsed yet. Programs can forge it. */
  text = '';
  /** Metrics that did not fit into it. */
  dropped = 0;
  /** Why it could not be read the last time. @type {string | null} */
  failure = null;
  /** Whether `text` is older than the last request. */
  isLate = false;
  #channel;
  #isAsked = false;

  /** @param {ChildProcess} child with an agent, in cluster mode or in fork mode */
  constructor(child) {
    this.#channel = channelTo(child);
  }

  /**
   * Sends nothing while a reply is missing: for a blocked event loop requests would pile up, and everyone who
   * reads the metrics would wait for it.
   * @returns {Promise<void>} when there is a reply, or after a deadline
   */
  async ask() {
    if (!this.#channel.child.connected) return;
    this.isLate = true;
    if (!this.#isAsked) await within(this.#ask(), READ_MS + GRACE_MS);
  }

  async #ask() {
    this.#isAsked = true;
    const order = { timeoutMs: READ_MS, maxLength: MAX_LENGTH };
    const reply = await this.#channel.askOnce('program-metrics', order);
    this.#isAsked = false;
    if (reply !== null) this.#read(reply);
  }

  /** @param {Record<string, unknown>} message */
  #read({ text, dropped, failure, isLate }) {
    this.isLate = isLate === true;
    this.failure = typeof failure === 'string' && failure.length <= MAX_REASON ? failure : null;
    if (typeof text === 'string' && text.length <= MAX_LENGTH) {
      this.text = text;
      this.dropped = Number.isSafeInteger(dropped) ? Math.max(0, Number(dropped)) : 0;
    }
  }
}
