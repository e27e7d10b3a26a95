/** Sends metrics to a collector at an interval, over OTLP/HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { VERSION } from '../../shared/version.js';
import { metricFamilies } from '../../show/metrics.js';
import { isCount } from '../../shared/checks.js';
import { groupBy } from '../../shared/groups.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { Listed } from '../../protocol/methods.js'
 * @import { Family, Labels, Sample } from '../../show/metric-family.js'
 */

/** A second, so that workers have a rest; they measure for two minutes after a request. */
const [MIN_EVERY_MS, MAX_EVERY_MS] = [1000, 60_000];

/** @param {Record<string, string | undefined>} env @returns {number} ms between two exports, at most a minute */
export function exportIntervalIn({ OTEL_METRIC_EXPORT_INTERVAL }) {
  const given = Number(OTEL_METRIC_EXPORT_INTERVAL);
  return given >= MIN_EVERY_MS ? Math.min(given, MAX_EVERY_MS) : MAX_EVERY_MS;
}

/**
 * @param {Pick<Context, 'cwd' | 'env'>} context cwd: where the packages of OpenTelemetry may be installed
 * @param {() => Promise<Listed | null>} measure null: no daemon is running
 * @param {(reason: string | null) => void} onChange called when exporting begins to fail, with the reason,
 *   and with null when it succeeds for the first time, or again
 * @returns {() => Promise<never>} exports from then on, until the process ends
 */
export function prepareExport({ cwd, env }, measure, onChange) {
  const everyMs = exportIntervalIn(env);
  const { OTLPMetricExporter, resourceFromAttributes, detectResources, envDetector } =
    Object.assign({}, ...PACKAGES.map((name) => load(name, cwd)));
  const exporter = new OTLPMetricExporter();
  const own = { 'service.name': 'nodecluster', 'service.version': VERSION };
  const given = detectResources({ detectors: [envDetector] });
  const resource = resourceFromAttributes(own).merge(given);
  // Why it failed; null: it did not.
  const exportOnce = async () => {
    try {
      const metrics = otlpMetrics(metricFamilies(await measure(), VERSION), Date.now());
      const scope = { name: 'nodecluster', version: VERSION };
      const batch = { resource, scopeMetrics: [{ scope, metrics }] };
      /** @type {{code: number, error?: Error}} 0: the batch was accepted */
      const { code, error } = await new Promise((resolve) => exporter.export(batch, resolve));
      return code === 0 ? null : (error?.message ?? 'the collector did not accept them');
    } catch (thrown) {
      return NodeclusterError.from(thrown).message;
    }
  };
  return async () => {
    /** @type {string | null | undefined} */
    let last;
    for (;;) {
      const nextMs = performance.now() + everyMs;
      const reason = await exportOnce();
      if (reason !== last) onChange(reason);
      last = reason;
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
}

const PACKAGES = ['@opentelemetry/exporter-metrics-otlp-http', '@opentelemetry/resources'];

/**
 * nodecluster does not depend on it: who wants to export installs it, beside nodecluster or in this directory.
 * @param {string} name
 * @param {string} cwd
 */
function load(name, cwd) {
  for (const place of [import.meta.url, path.join(cwd, 'package.json')]) {
    try {
      return createRequire(place)(name);
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'MODULE_NOT_FOUND' && message.includes(`'${name}'`)) continue;
      throw new NodeclusterError('E_OTLP_PACKAGES', { name, packages: PACKAGES, reason: message });
    }
  }
  throw new NodeclusterError('E_OTLP_PACKAGES', { name, packages: PACKAGES });
}

/** @typedef {[seconds: number, nanoseconds: number]} Time */

/** As the enumerations of sdk-metrics have it. */
const CUMULATIVE = 1;
const POINTS = { histogram: 0, gauge: 2, sum: 3 };
const DOUBLE = 1;
/** When the counting began is not known: workers are replaced at different times. @type {Time} */
const UNKNOWN = [0, 0];
/** The units of UCUM, by the end of a name. */
const UNITS = { seconds: 's', bytes: 'By', ratio: '1' };

/**
 * Turns metrics into what the exporters of OpenTelemetry take. Names and labels stay as Prometheus has
 * them, so that a dashboard works with both. A collector refuses everything if a bucket holds less than
 * nothing, so such points are left out.
 * @param {readonly Family[]} families
 * @param {number} nowMs since the epoch
 * @returns `metrics` of a scope. A summary becomes two sums: OpenTelemetry's SDK has none
 */
export function otlpMetrics(families, nowMs) {
  /** @type {Time} */
  const endTime = [Math.floor(nowMs / 1000), (nowMs % 1000) * 1e6];
  return families
    .flatMap((family) => {
      const { name, type, help, samples } = family;
      if (type === 'histogram') return [histogramOf(family, endTime)];
      if (type !== 'summary') return [numbersOf(family, type === 'counter', endTime)];
      return ['_sum', '_count'].map((end) => {
        const own = samples.filter(({ suffix }) => suffix === end);
        return numbersOf({ name: `${name}${end}`, help, samples: own }, true, endTime);
      });
    })
    .filter(({ dataPoints }) => dataPoints.length > 0);
}

/** @param {Omit<Family, 'type'>} family @param {boolean} isSum @param {Time} endTime */
function numbersOf({ name, help, samples }, isSum, endTime) {
  return {
    ...metricOf(name, help, isSum ? 'COUNTER' : 'GAUGE'),
    dataPointType: isSum ? POINTS.sum : POINTS.gauge,
    ...(isSum && { isMonotonic: true }),
    dataPoints: samples.map(({ labels, value }) => pointOf(labels, value, endTime)),
  };
}

/** @param {string} name @param {string} help @param {string} type of an instrument */
function metricOf(name, help, type) {
  const base = name.replace(/_total$/, '');
  const [, unit = ''] = Object.entries(UNITS).find(([end]) => base.endsWith(`_${end}`)) ?? [];
  const descriptor = { name, description: help, unit, type, valueType: DOUBLE, advice: {} };
  return { descriptor, aggregationTemporality: CUMULATIVE };
}

/** Each bucket is a sample. @param {Family} family @param {Time} endTime */
function histogramOf({ name, help, samples }, endTime) {
  const withoutBound = (/** @type {Sample} */ { labels: { le: _, ...labels } }) => labels;
  const groups = groupBy(samples, (sample) =>
    JSON.stringify(Object.entries(withoutBound(sample)).sort()),
  );
  const dataPoints = [...groups.values()].flatMap((group) => {
    const labels = withoutBound(group[0]);
    const sum = group.find(({ suffix }) => suffix === '_sum')?.value ?? 0;
    const sorted = group
      .filter(({ suffix }) => suffix === '_bucket')
      .map(({ labels: { le }, value }) => [le === '+Inf' ? Infinity : Number(le), value])
      .sort(([one], [other]) => one - other);
    const counts = sorted.map(([, count], index) => count - (sorted[index - 1]?.[1] ?? 0));
    const boundaries = sorted.map(([bound]) => bound).filter(Number.isFinite);
    const isValid = boundaries.length === counts.length - 1 && counts.every(isCount);
    if (!isValid) return [];
    const value = { buckets: { boundaries, counts }, sum, count: sorted.at(-1)?.[1] };
    return [pointOf(labels, value, endTime)];
  });
  return { ...metricOf(name, help, 'HISTOGRAM'), dataPointType: POINTS.histogram, dataPoints };
}

/** @param {Labels} attributes @param {unknown} value @param {Time} endTime */
function pointOf(attributes, value, endTime) {
  const texts = Object.entries(attributes).map(([name, label]) => [name, String(label)]);
  return { startTime: UNKNOWN, endTime, attributes: Object.fromEntries(texts), value };
}
