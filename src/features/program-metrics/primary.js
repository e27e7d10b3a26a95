/** What programs count in registries of their own, added up by the rules of prom-client, where it lives as long as the sums must. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { attempt } from '../../errors/error.js';
import { programFamily } from '../../protocol/checks.js';
import { channelTo } from '../../primary/worker/channel.js';
import { sharePending, within } from '../../shared/deadline.js';

/**
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { ProgramFamily, ProgramMetrics, ProgramSample } from './record.js'
 */

/** Characters; about 5000 samples. Escaped as JSON, it still fits into one message. */
const MAX_LENGTH = 512 * 1024;
const READ_MS = 1000;
const MAX_REASON = 200;

/** @type {MakeFeature} */
export function programMetrics({ pool }) {
  /** What each last reported, the oldest one first. @type {Map<WorkerHandle, ProgramMetrics>} */
  const reports = new Map();
  /** Of workers that have exited: a sum that falls looks to Prometheus like a counter that has started again at 0. */
  let kept = new Sums();
  const follow = (/** @type {WorkerHandle} */ worker) => {
    /** @type {ProgramMetrics} */
    const report = { families: [], failure: null };
    reports.set(worker, report);
    worker.once('exit', () => {
      reports.delete(worker);
      kept.add(report.families.filter(isCount));
    });
    return report;
  };
  const ask = async (/** @type {WorkerHandle} */ worker) => {
    if (!worker.child) return;
    const report = reports.get(worker) ?? follow(worker);
    report.failure = `a worker did not report within ${READ_MS / 1000} s`;
    const reply = channelTo(worker.child).askOnce('program-metrics', { maxLength: MAX_LENGTH });
    const read = reply.then((message) => void Object.assign(report, readReply(message ?? {})));
    await within(read, READ_MS);
  };
  const collect = async () => {
    await Promise.all(pool.workers.map(ask));
    const all = [...reports.values()];
    const sums = new Sums();
    // A worker that exits meanwhile must be counted once.
    for (const families of [kept.families, ...all.map((report) => report.families)]) {
      sums.add(families);
      // Connections come first.
      await nextTurn();
    }
    const { families } = sums;
    const { length } = JSON.stringify(families);
    if (length <= MAX_LENGTH)
      return { families, failure: all.find(({ failure }) => failure !== null)?.failure ?? null };
    // A label with a new value in each process would fill the memory.
    kept = new Sums();
    return { families: [], failure: `its metrics have ${length} characters` };
  };
  return { methods: { 'program-metrics': sharePending(collect) } };
}

/** @param {ProgramFamily} family */
function isCount({ type, aggregator }) {
  return type !== 'gauge' && aggregator === 'sum';
}

/** @param {Record<string, unknown>} message which the program can forge */
function readReply({ text, failure }) {
  if (typeof failure === 'string') return { failure: failure.slice(0, MAX_REASON) };
  const parsed = attempt(() => JSON.parse(String(text).slice(0, MAX_LENGTH)), null);
  if (!Array.isArray(parsed)) return { failure: null };
  return { families: parsed.filter((family) => programFamily(family) === null), failure: null };
}

/** @type {Record<ProgramFamily['aggregator'], (total: number, value: number, count: number) => number>} */
const COMBINE = {
  sum: (total, value) => total + value,
  average: (total, value, count) => total + (value - total) / count,
  min: (total, value) => Math.min(total, value),
  max: (total, value) => Math.max(total, value),
  first: (total) => total,
};

/** Over the workers, the oldest first. */
export class Sums {
  /** @type {Map<string, Omit<ProgramFamily, 'samples'> & {series: Map<string, {sample: ProgramSample, count: number}>}>} */
  #byName = new Map();

  /** @param {ProgramFamily[]} families of the next worker */
  add(families) {
    for (const { samples, ...family } of families) {
      let sum = this.#byName.get(family.name);
      // Another version of the program may count something else.
      if (sum?.type !== family.type || sum.aggregator !== family.aggregator)
        this.#byName.set(family.name, (sum = { ...family, series: new Map() }));
      for (const [suffix, labels, value] of samples) {
        const key = JSON.stringify([suffix, ...Object.entries(labels).sort()]);
        const known = sum.series.get(key);
        if (known)
          known.sample[2] = COMBINE[sum.aggregator](known.sample[2], value, (known.count += 1));
        else sum.series.set(key, { sample: [suffix, labels, value], count: 1 });
      }
    }
  }

  get families() {
    return [...this.#byName.values()].map(({ series, ...family }) => ({
      ...family,
      samples: [...series.values()].map(({ sample }) => sample),
    }));
  }
}
