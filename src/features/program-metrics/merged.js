/**
 * Adds up what the workers of an app report of the registries of their programs, by the rules of
 * prom-client's AggregatorRegistry.
 */
/**
 * @import { ProgramFamily, ProgramSample } from './record.js'
 * @import { Aggregator, WorkerFamily } from './families.js'
 *
 * @typedef {object} Total of the samples with the same labels
 * @property {string} suffix
 * @property {Record<string, string>} labels
 * @property {number} value
 * @property {number} count of the samples in it
 *
 * @typedef {object} Merging of the metrics with the same name
 * @property {WorkerFamily} newest without its samples
 * @property {string} bounds of its buckets
 * @property {Map<string, Total>} totals
 */

/** @type {Record<Aggregator, (total: number, value: number) => number>} */
const COMBINE = {
  sum: (total, value) => total + value,
  average: (total, value) => total + value,
  min: Math.min,
  max: Math.max,
  first: (total) => total,
  omit: (total) => total,
};
/** In the text format, and as a number of JavaScript. @type {Record<string, number>} */
const SPECIAL = { '+Inf': Infinity, '-Inf': -Infinity, NaN };

export class Merged {
  /** @type {Map<string, Merging>} */
  #byName = new Map();

  /** @param {readonly WorkerFamily[]} families of the next worker: the oldest worker comes first */
  add(families) {
    for (const family of families) if (family.aggregator !== 'omit') this.#add(family);
  }

  /** @returns {WorkerFamily[]} */
  get families() {
    return [...this.#byName.values()].map(({ newest, totals }) => ({
      ...newest,
      samples: [...totals.values()].flatMap((total) => sampleOf(newest, total)),
    }));
  }

  /** @param {WorkerFamily} family */
  #add(family) {
    const merging = this.#mergingOf(family);
    for (const [suffix, labels, value] of family.samples) {
      const key = `${suffix} ${JSON.stringify(Object.entries(labels).sort(byLabel))}`;
      const number = SPECIAL[value] ?? Number(value);
      const total = merging.totals.get(key);
      if (!total) {
        merging.totals.set(key, { suffix, labels, value: number, count: 1 });
        continue;
      }
      total.value = COMBINE[family.aggregator](total.value, number);
      total.count += 1;
    }
  }

  /**
   * What an older version of the program counted in another way cannot be added: buckets with other
   * bounds would not be cumulative.
   * @param {WorkerFamily} family
   */
  #mergingOf(family) {
    const { name, type, aggregator } = family;
    const bounds = boundsOf(family);
    const merging = this.#byName.get(name);
    if (merging) {
      const { newest } = merging;
      const isSame = newest.type === type && newest.aggregator === aggregator;
      if (isSame && merging.bounds === '') merging.bounds = bounds;
      if (isSame && (bounds === '' || merging.bounds === bounds)) return merging;
    }
    const fresh = { newest: { ...family, samples: [] }, bounds, totals: new Map() };
    this.#byName.set(name, fresh);
    return fresh;
  }
}

/**
 * A sum that falls looks to Prometheus like a counter that has started again at 0, and everything that is
 * left like an increase. So what a worker counted stays in the sums after its exit.
 * @param {readonly WorkerFamily[]} families of a worker that has exited
 * @returns {WorkerFamily[]} what it counted
 */
export function countsOf(families) {
  return families
    .filter(({ type, aggregator }) => type !== 'gauge' && aggregator === 'sum')
    .map((family) => ({ ...family, samples: family.samples.filter((one) => !isQuantile(one)) }));
}

/** @param {ProgramFamily} family @returns {string} empty: it has no buckets (yet) */
function boundsOf({ type, samples }) {
  if (type !== 'histogram') return '';
  const bounds = new Set(samples.flatMap(([, { le }]) => le ?? []));
  return [...bounds].sort().join(' ');
}

/** @param {WorkerFamily} family @param {Total} total @returns {ProgramSample[]} */
function sampleOf({ type, aggregator }, { suffix, labels, value, count }) {
  // Quantiles of several workers cannot be combined.
  if (type === 'summary' && suffix === '' && count > 1) return [];
  return [[suffix, labels, written(aggregator === 'average' ? value / count : value)]];
}

/** @param {ProgramSample} sample of a counter, a histogram or a summary */
function isQuantile([suffix, labels]) {
  return suffix === '' && 'quantile' in labels;
}

/** @param {number} value */
function written(value) {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

/** @param {[string, string]} one @param {[string, string]} other */
function byLabel([one], [other]) {
  return one < other ? -1 : 1;
}
