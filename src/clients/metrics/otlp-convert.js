/**
 * Turns metrics into what the exporters of OpenTelemetry take. Names and labels stay as Prometheus has
 * them, so that a dashboard works with both. A collector refuses everything if one value is not a number or a
 * bucket holds less than nothing, so such points are left out.
 */
import { isCount } from '../../shared/checks.js';

/**
 * @import { Family, Labels, Sample } from '../../show/metric-family.js'
 *
 * @typedef {[seconds: number, nanoseconds: number]} Time
 * @typedef {{startTime: Time, endTime: Time, attributes: Labels, value: unknown}} Point
 */

/** As the enumerations of sdk-metrics have it. */
const CUMULATIVE = 1;
const POINTS = { histogram: 0, gauge: 2, sum: 3 };
const DOUBLE = 1;
/** When the counting began is not known: workers are replaced at different times. @type {Time} */
const UNKNOWN = [0, 0];
/** The units of UCUM, by the end of a name. */
const UNITS = { seconds: 's', bytes: 'By', ratio: '1' };
const SPECIAL = { '+Inf': Infinity, '-Inf': -Infinity, NaN };

/**
 * @param {readonly Family[]} families
 * @param {number} nowMs since the epoch
 * @returns {{dataPoints: Point[]}[]} `metrics` of a scope. A summary becomes two sums: OpenTelemetry's SDK has none
 */
export function otlpMetrics(families, nowMs) {
  /** @type {Time} */
  const endTime = [Math.floor(nowMs / 1000), (nowMs % 1000) * 1e6];
  return families
    .flatMap((family) => {
      if (family.type === 'histogram') return [histogramOf(family, endTime)];
      if (family.type === 'summary') return sumsOf(family, endTime);
      return [numbersOf(family, endTime)];
    })
    .filter(({ dataPoints }) => dataPoints.length > 0);
}

/** @param {Family} family @param {Time} endTime */
function numbersOf({ name, help, type, samples }, endTime) {
  const isSum = type === 'counter';
  return {
    ...metricOf(name, help, isSum ? 'COUNTER' : 'GAUGE'),
    dataPointType: isSum ? POINTS.sum : POINTS.gauge,
    ...(isSum && { isMonotonic: true }),
    dataPoints: samples
      .map(({ labels, value }) => pointOf(labels, numberOf(value), endTime))
      .filter(({ value }) => Number.isFinite(value)),
  };
}

/** @param {Family} family @param {Time} endTime */
function sumsOf({ name, help, samples }, endTime) {
  return ['_sum', '_count'].map((end) => {
    const own = samples.filter(({ suffix }) => suffix === end);
    return numbersOf({ name: `${name}${end}`, help, type: 'counter', samples: own }, endTime);
  });
}

/** @param {Family} family @param {Time} endTime */
function histogramOf({ name, help, samples }, endTime) {
  return {
    ...metricOf(name, help, 'HISTOGRAM'),
    dataPointType: POINTS.histogram,
    dataPoints: distributionPoints(samples, endTime),
  };
}

/** @param {string} name @param {string} help @param {string} type of an instrument */
function metricOf(name, help, type) {
  const unit = unitOf(name);
  const descriptor = { name, description: help, unit, type, valueType: DOUBLE, advice: {} };
  return { descriptor, aggregationTemporality: CUMULATIVE };
}

/** @param {string} name */
function unitOf(name) {
  const base = name.replace(/_total$/, '');
  const ends = Object.entries(UNITS).find(([end]) => base.endsWith(`_${end}`));
  return ends ? ends[1] : '';
}

/**
 * Each bucket is a sample.
 * @param {readonly Sample[]} samples
 * @param {Time} endTime
 */
function distributionPoints(samples, endTime) {
  /** @type {Map<string, {labels: Labels, buckets: [number, number][], sum: number}>} */
  const groups = new Map();
  for (const { labels: all, suffix, value } of samples) {
    if (suffix === undefined) continue;
    const { le, ...labels } = all;
    const shown = suffix === '_bucket' ? labels : all;
    const key = JSON.stringify(Object.entries(shown).sort());
    const group = groups.get(key) ?? { labels: shown, buckets: [], sum: 0 };
    groups.set(key, group);
    if (suffix === '_bucket') group.buckets.push([numberOf(le), numberOf(value)]);
    if (suffix === '_sum') group.sum = numberOf(value);
  }
  return [...groups.values()].flatMap(({ labels, buckets, sum }) => {
    const sorted = buckets.sort(([one], [other]) => one - other);
    const counts = sorted.map(([, count], index) => count - (sorted[index - 1]?.[1] ?? 0));
    const bounds = sorted.map(([bound]) => bound).filter(Number.isFinite);
    const isValid = bounds.length === counts.length - 1 && counts.every(isCount);
    if (!isValid || !Number.isFinite(sum)) return [];
    return [pointOf(labels, bucketsOf(bounds, counts, sum), endTime)];
  });
}

/** @param {number[]} boundaries @param {number[]} counts not cumulative @param {number} sum */
function bucketsOf(boundaries, counts, sum) {
  const count = counts.reduce((total, more) => total + more, 0);
  return { buckets: { boundaries, counts }, sum, count };
}

/** @param {Labels} attributes @param {unknown} value @param {Time} endTime @returns {Point} */
function pointOf(attributes, value, endTime) {
  const texts = Object.entries(attributes).map(([name, label]) => [name, String(label)]);
  return { startTime: UNKNOWN, endTime, attributes: Object.fromEntries(texts), value };
}

/** @param {unknown} value as Prometheus writes it */
function numberOf(value) {
  /** @type {Record<string, number>} */
  const special = SPECIAL;
  return special[String(value)] ?? Number(value);
}
