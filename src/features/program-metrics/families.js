/**
 * What a worker reports of the registry of its program, and what a primary reports of its workers.
 * Programs can forge it, so nothing is used that Prometheus would not accept.
 */
import { attempt } from '../../errors/error.js';
import { isListOf, isObject } from '../../shared/checks.js';

/** @import { ProgramFamily, ProgramSample } from './record.js' */

/**
 * @typedef {'sum' | 'first' | 'min' | 'max' | 'average' | 'omit'} Aggregator
 *
 * @typedef {ProgramFamily & {aggregator: Aggregator}} WorkerFamily of one worker
 */

/** Characters; about 5000 samples. Escaped as JSON, it still fits into one message. */
export const MAX_LENGTH = 512 * 1024;
/** Of the metrics of nodecluster itself. */
const OWN_PREFIX = 'nodecluster_';
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]{0,199}$/;
/** Prometheus keeps names with two underscores at the start for itself. */
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,99}$/;
const MAX_HELP = 1000;
const MAX_LABELS = 64;
const MAX_LABEL_VALUE = 1000;
const AGGREGATORS = ['sum', 'first', 'min', 'max', 'average', 'omit'];
/** What JSON has no number for, as Prometheus writes it. @type {Record<string, number>} */
const SPECIAL = { '+Inf': Infinity, '-Inf': -Infinity, NaN };
/** By type: what follows the name in its samples. @type {Record<string, string[]>} */
const SUFFIXES = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * @param {string} text of a worker
 * @returns {{families: WorkerFamily[], dropped: number}} dropped: how many are not valid
 */
export function readFamilies(text) {
  /** @type {unknown} */
  const parsed = attempt(() => JSON.parse(text), null);
  const list = Array.isArray(parsed) ? parsed : [];
  const families = list.map(readFamily).filter((family) => family !== null);
  return { families, dropped: list.length - families.length };
}

/**
 * @param {any} value
 * @returns {value is ProgramFamily} whether Prometheus would accept it
 */
export function isFamily(value) {
  if (!isObject(value)) return false;
  const { name, type, help, samples } = value;
  const isNamed = typeof name === 'string' && METRIC_NAME.test(name);
  if (!isNamed || name.startsWith(OWN_PREFIX)) return false;
  if (typeof type !== 'string' || !Object.hasOwn(SUFFIXES, type)) return false;
  if (typeof help !== 'string' || help.length > MAX_HELP) return false;
  return isListOf(samples, (sample) => isSample(sample, type));
}

/**
 * @template {ProgramFamily} F
 * @param {readonly F[]} families
 * @param {number} limit
 * @param {(family: F) => number} [sizeOf]
 * @returns {F[]} those that fit, without the largest, which may have a label such as the pid that never returns
 */
export function fitting(families, limit, sizeOf = lengthOf) {
  const sized = families
    .map((family) => ({ family, size: sizeOf(family) }))
    .sort((one, other) => one.size - other.size);
  let left = limit;
  const kept = new Set(sized.filter(({ size }) => (left -= size) >= 0).map(({ family }) => family));
  return families.filter((family) => kept.has(family));
}

/** @param {ProgramFamily} family @returns {number} about how many characters it has as JSON */
export function lengthOf({ name, help, samples }) {
  let length = name.length + help.length + 60;
  for (const [, labels] of samples) {
    length += 40;
    for (const label in labels) length += label.length + labels[label].length + 6;
  }
  return length;
}

/** @param {unknown} raw @returns {WorkerFamily | null} null: it is not valid */
function readFamily(raw) {
  if (!isObject(raw) || !Array.isArray(raw.samples)) return null;
  const { name, type, aggregator } = raw;
  if (!AGGREGATORS.includes(aggregator)) return null;
  const help = String(raw.help ?? '').slice(0, MAX_HELP);
  const family = { name, type, help, aggregator, samples: raw.samples.map(readSample) };
  return isFamily(family) ? /** @type {WorkerFamily} */ (family) : null;
}

/** @param {any} sample */
function readSample(sample) {
  if (!Array.isArray(sample)) return null;
  const [suffix, labels, value] = sample;
  // Label values may be numbers, booleans and null there. One that is too long, such as a URL that somebody
  // sent, must not cost the metric.
  const entries = Object.entries(labels ?? {}).map(([name, label]) => [
    name,
    typeof label === 'object' && label !== null ? label : String(label).slice(0, MAX_LABEL_VALUE),
  ]);
  return [suffix, Object.fromEntries(entries), value];
}

/** @param {any} sample @param {string} type */
function isSample(sample, type) {
  if (!Array.isArray(sample) || sample.length !== 3) return false;
  const [suffix, labels, value] = sample;
  if (!SUFFIXES[type].includes(suffix) || !isObject(labels)) return false;
  const entries = Object.entries(labels);
  const areLabels = entries.every(
    ([name, label]) =>
      LABEL_NAME.test(name) && typeof label === 'string' && label.length <= MAX_LABEL_VALUE,
  );
  if (!areLabels || entries.length > MAX_LABELS) return false;
  if (suffix === '_bucket' && !('le' in labels)) return false;
  return Number.isFinite(value) || Object.keys(SPECIAL).includes(value);
}

/**
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

/**
 * Adds up what the workers of an app report of the registries of their programs, by the rules of
 * prom-client's AggregatorRegistry.
 */
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
      const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
      const key = `${suffix} ${JSON.stringify(sorted)}`;
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

/** @param {WorkerFamily} family @param {Total} total @returns {ProgramSample[]} none or one */
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
