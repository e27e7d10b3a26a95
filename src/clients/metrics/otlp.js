/** Sends metrics to a collector at an interval, over OTLP/HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { VERSION } from '../../shared/version.js';
import { metricFamilies } from '../../show/metrics.js';
import { otlpMetrics } from './otlp-convert.js';

/** @import { Listed } from '../../protocol/methods.js' */

/**
 * @typedef {object} Collector
 * @property {string | null} url null: OTEL_EXPORTER_OTLP_ENDPOINT says it
 * @property {number} everyMs between two exports
 * @property {string} cwd where the packages may be installed
 */

const MIN_EVERY_MS = 1000;
/** Workers measure for two minutes after a request. The SDKs of OpenTelemetry export as often by default. */
const MAX_EVERY_MS = 60_000;
/** The path of metrics in OTLP/HTTP. */
const PATH = 'v1/metrics';
/** Stands for the environment in place of a URL. */
const FROM_ENVIRONMENT = 'env';

/**
 * @param {object} order
 * @param {string} order.url as the user typed it
 * @param {string} order.cwd
 * @param {Record<string, string | undefined>} order.env OTEL_METRIC_EXPORT_INTERVAL: between two exports, at most a minute
 * @returns {Collector}
 * @throws {NodeclusterError} E_OTLP_URL
 */
export function readCollector({ url, cwd, env }) {
  const given = Number(env.OTEL_METRIC_EXPORT_INTERVAL);
  const everyMs = given >= MIN_EVERY_MS ? Math.min(given, MAX_EVERY_MS) : MAX_EVERY_MS;
  return { url: readUrl(url), everyMs, cwd };
}

/** @param {string} text @returns {string | null} null: `env` */
function readUrl(text) {
  if (text === FROM_ENVIRONMENT) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new NodeclusterError('E_OTLP_URL', { url: text });
  }
  if (!url.pathname.endsWith(`/${PATH}`)) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${PATH}`;
  }
  return url.href;
}

/**
 * @param {Collector} collector
 * @param {() => Promise<Listed | null>} measure null: no daemon is running
 * @param {(reason: string | null) => void} onChange called when exporting begins to fail, with the reason,
 *   and with null when it succeeds for the first time, or again
 * @returns {() => Promise<never>} exports from then on, until the process ends
 * @throws {NodeclusterError} E_OTLP_PACKAGES
 */
export function prepareExport({ url, everyMs, cwd }, measure, onChange) {
  const packages = loadPackages(cwd);
  const { OTLPMetricExporter, resourceFromAttributes, detectResources, envDetector } = packages;
  const exporter = new OTLPMetricExporter(url === null ? {} : { url });
  const own = { 'service.name': 'nodecluster', 'service.version': VERSION };
  const given = detectResources({ detectors: [envDetector] });
  const resource = resourceFromAttributes(own).merge(given);
  return async () => {
    /** @type {string | null | undefined} */
    let last;
    for (;;) {
      const nextMs = performance.now() + everyMs;
      const reason = await exportOnce(exporter, resource, measure);
      if (reason !== last) onChange(reason);
      last = reason;
      await sleep(Math.max(0, nextMs - performance.now()));
    }
  };
}

/**
 * @param {Exporter} exporter
 * @param {object} resource
 * @param {() => Promise<Listed | null>} measure
 * @returns {Promise<string | null>} why it failed; null: it did not
 */
async function exportOnce(exporter, resource, measure) {
  try {
    const metrics = otlpMetrics(metricFamilies(await measure(), VERSION), Date.now());
    const scope = { name: 'nodecluster', version: VERSION };
    const batch = { resource, scopeMetrics: [{ scope, metrics }] };
    /** @type {{code: number, error?: Error}} */
    const { code, error } = await new Promise((resolve) => exporter.export(batch, resolve));
    return code === 0 ? null : (error?.message ?? 'the collector did not accept them');
  } catch (thrown) {
    return NodeclusterError.from(thrown).message;
  }
}

/**
 * @typedef {object} Exporter
 * @property {(metrics: object, onResult: (result: {code: number, error?: Error}) => void) => void} export
 *   in the form of `resourceMetrics`; code 0: it was accepted
 *
 * @typedef {object} OtlpPackages
 * @property {new (options: {url?: string}) => Exporter} OTLPMetricExporter
 * @property {(attributes: Record<string, string>) => {merge: (other: object | null) => object}}
 *   resourceFromAttributes
 * @property {(options: {detectors: object[]}) => object} detectResources
 * @property {object} envDetector
 */

const PACKAGES = ['@opentelemetry/exporter-metrics-otlp-http', '@opentelemetry/resources'];

/**
 * The packages of OpenTelemetry that export metrics. nodecluster does not depend on them: who wants to export installs them.
 * @param {string} cwd where they are looked up if they are not installed beside nodecluster
 * @throws {NodeclusterError} E_OTLP_PACKAGES
 */
function loadPackages(cwd) {
  const places = [import.meta.url, path.join(cwd, 'package.json')];
  return Object.assign({}, ...PACKAGES.map((name) => load(name, places)));
}

/** @param {string} name @param {string[]} places @returns {object} what it exports */
function load(name, places) {
  for (const place of places) {
    const require = createRequire(place);
    try {
      return require(name);
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'MODULE_NOT_FOUND' && message.includes(`'${name}'`)) continue;
      throw new NodeclusterError('E_OTLP_PACKAGES', { name, packages: PACKAGES, reason: message });
    }
  }
  throw new NodeclusterError('E_OTLP_PACKAGES', { name, packages: PACKAGES });
}
