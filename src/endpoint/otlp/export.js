/** Sends metrics to a collector at an interval, over OTLP/HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { VERSION } from '../../shared/version.js';
import { metricFamilies } from '../metrics/metrics.js';
import { otlpMetrics } from './convert.js';
import { loadPackages } from './packages.js';

/**
 * @import { Measurements } from '../../protocol/methods.js'
 * @import { Exporter } from './packages.js'
 *
 * @typedef {object} Target
 * @property {string | null} url of the collector; null: OTEL_EXPORTER_OTLP_ENDPOINT says it
 * @property {number} everyMs
 * @property {string} cwd where the packages may be installed
 */

export const DEFAULT_EVERY_MS = 60_000;
/** The path of metrics in OTLP/HTTP. */
const PATH = 'v1/metrics';
/** Stands for the environment in place of a URL. */
const FROM_ENVIRONMENT = 'env';

/**
 * @param {string} text as the user typed it
 * @returns {string | null} null: `env`
 * @throws {NodeclusterError} E_OTLP_URL
 */
export function readCollector(text) {
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
 * @param {Target} target
 * @param {() => Promise<Measurements | null>} measure null: no daemon is running
 * @param {(reason: string | null) => void} onChange called when exporting begins to fail, with the reason,
 *   and with null when it succeeds again or for the first time
 * @returns {() => Promise<never>} begins to export; the packages have been loaded
 * @throws {NodeclusterError} E_OTLP_PACKAGES
 */
export function newExport({ url, everyMs, cwd }, measure, onChange) {
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
 * @param {() => Promise<Measurements | null>} measure
 * @returns {Promise<string | null>} why it failed; null: it did not
 */
async function exportOnce(exporter, resource, measure) {
  try {
    const metrics = otlpMetrics(metricFamilies(await measure()), Date.now());
    const scope = { name: 'nodecluster', version: VERSION };
    const batch = { resource, scopeMetrics: [{ scope, metrics }] };
    const { code, error } = await new Promise((resolve) => exporter.export(batch, resolve));
    return code === 0 ? null : (error?.message ?? 'the collector did not accept them');
  } catch (thrown) {
    return NodeclusterError.from(thrown).message;
  }
}
