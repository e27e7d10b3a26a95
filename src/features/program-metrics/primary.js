/**
 * What the programs of workers count in registries of their own, added up by the rules of prom-client. It is done here
 * because the primary lives as long as those sums must (docs/decisions/metrics.md).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { attempt } from '../../errors/error.js';
import { workerFamily } from '../../primary/checks.js';
import { channelTo } from '../../primary/worker/channel.js';
import { within } from '../../shared/deadline.js';
import { sharePending } from '../../shared/http-limits.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { ProgramMetrics, ProgramSample, WorkerFamily } from './record.js'
 */

/** Characters; about 5000 samples. Escaped as JSON, it still fits into one message. */
const MAX_LENGTH = 512 * 1024;
/** How long the collect functions of the program may take. */
const READ_MS = 1000;
const MAX_REASON = 200;

/** @type {MakeFeature} */
export function programMetrics({ pool }) {
  /** The oldest one first. @type {Map<WorkerHandle, WorkerMetrics>} */
  const workers = new Map();
  /** Of workers that have exited: a sum that falls looks to Prometheus like a counter that has started again at 0. @type {WorkerFamily[]} */
  let kept = [];
  const metricsOf = (/** @type {WorkerHandle} */ worker) => {
    const known = workers.get(worker);
    if (known || !worker.child) return known;
    const metrics = new WorkerMetrics(worker.child);
    workers.set(worker, metrics);
    worker.once('exit', () => {
      workers.delete(worker);
      const sums = new Sums();
      sums.add(kept);
      sums.add(metrics.families.filter(isCount));
      // A label with a new value in each process would fill the memory.
      kept = fitting(sums.families);
    });
    return metrics;
  };
  /** @returns {Promise<ProgramMetrics>} */
  const collect = async () => {
    await Promise.all([...pool.workers.values()].map((worker) => metricsOf(worker)?.ask()));
    const replies = [...workers.values()];
    const sums = new Sums();
    // A worker that exits meanwhile must be counted once.
    for (const families of [kept, ...replies.map((reply) => reply.families)]) {
      sums.add(families);
      // Connections come first.
      await nextTurn();
    }
    const all = sums.families.filter(({ samples }) => samples.length > 0);
    const families = fitting(all);
    return {
      families: families.map(({ aggregator: _, ...family }) => family),
      dropped: Math.max(0, ...replies.map(({ dropped }) => dropped)) + all.length - families.length,
      late: replies.filter(({ isLate }) => isLate).length,
      failure: replies.find(({ failure }) => failure !== null)?.failure ?? null,
    };
  };
  return { methods: { 'program-metrics': sharePending(collect) } };
}

/** @param {WorkerFamily} family */
function isCount({ type, aggregator }) {
  return type !== 'gauge' && aggregator === 'sum';
}

/** @param {WorkerFamily[]} families @returns {WorkerFamily[]} those that fit, the largest last */
function fitting(families) {
  let left = MAX_LENGTH;
  const sized = families.map((family) => ({ family, size: JSON.stringify(family).length }));
  sized.sort((one, other) => one.size - other.size);
  const kept = new Set(sized.filter(({ size }) => (left -= size) >= 0).map(({ family }) => family));
  return families.filter((family) => kept.has(family));
}

/** @type {Record<WorkerFamily['aggregator'], (total: number, value: number, count: number) => number>} */
const COMBINE = {
  sum: (total, value) => total + value,
  average: (total, value, count) => total + (value - total) / count,
  min: (total, value) => Math.min(total, value),
  max: (total, value) => Math.max(total, value),
  first: (total) => total,
};

/** Over the workers, the oldest first. */
export class Sums {
  /** @type {Map<string, {family: Omit<WorkerFamily, 'samples'>, bySeries: Map<string, {sample: ProgramSample, count: number}>}>} */
  #byName = new Map();

  /** @param {WorkerFamily[]} families of the next worker */
  add(families) {
    for (const { name, type, help, aggregator, samples } of families) {
      const known = this.#byName.get(name);
      // Another version of the program may count something else.
      const isSame = known?.family.type === type && known.family.aggregator === aggregator;
      const sum = isSame
        ? known
        : { family: { name, type, help, aggregator }, bySeries: new Map() };
      this.#byName.set(name, sum);
      for (const sample of samples) {
        const key = JSON.stringify([sample[0], ...Object.entries(sample[1]).sort()]);
        const series = sum.bySeries.get(key);
        if (!series) {
          sum.bySeries.set(key, { sample: [...sample], count: 1 });
          continue;
        }
        series.count += 1;
        series.sample[2] = COMBINE[aggregator](series.sample[2], sample[2], series.count);
      }
    }
  }

  /** @returns {WorkerFamily[]} */
  get families() {
    return [...this.#byName.values()].map(({ family, bySeries }) => ({
      ...family,
      // The sum of two numbers may be none that JSON has.
      samples: [...bySeries.values()].flatMap(({ sample }) =>
        Number.isFinite(sample[2]) ? [sample] : [],
      ),
    }));
  }
}

/** What one worker last reported of the registry of its program. */
class WorkerMetrics {
  /** @type {WorkerFamily[]} */
  families = [];
  /** Metrics that did not fit into the report, or are not valid: programs can forge it. */
  dropped = 0;
  /** Why it could not be read the last time. @type {string | null} */
  failure = null;
  /** Sends nothing while a reply is missing: for a blocked event loop, requests would pile up. */
  isLate = false;
  #channel;

  /** @param {ChildProcess} child with an agent, in cluster mode or in fork mode */
  constructor(child) {
    this.#channel = channelTo(child);
  }

  /** @returns {Promise<void>} when there is a reply, or after a deadline: nobody waits for one that is late */
  async ask() {
    if (this.#channel.child.connected && !this.isLate) await within(this.#ask(), READ_MS);
  }

  async #ask() {
    this.isLate = true;
    const reply = await this.#channel.askOnce('program-metrics', { maxLength: MAX_LENGTH });
    this.isLate = false;
    if (reply !== null) this.#read(reply);
  }

  /** @param {Record<string, unknown>} message */
  #read({ text, dropped, failure }) {
    this.failure = typeof failure === 'string' ? failure.slice(0, MAX_REASON) : null;
    if (typeof text !== 'string' || text.length > MAX_LENGTH) return;
    const parsed = attempt(() => JSON.parse(text), null);
    const all = Array.isArray(parsed) ? parsed : [];
    this.families = all.filter((family) => workerFamily(family) === null);
    const omitted = Number.isSafeInteger(dropped) ? Math.max(0, Number(dropped)) : 0;
    this.dropped = omitted + all.length - this.families.length;
  }
}
