/** Sends metrics to a collector at an interval, over OTLP/HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../../errors/error.js';
import { VERSION } from '../../../shared/version.js';
import { metricFamilies } from '../text/metrics.js';
import { otlpMetrics } from './convert.js';
import { loadPackages } from './packages.js';

/**
 * @import { Measurements } from '../../../protocol/methods.js'
 * @import { Collector } from './collector.js'
 * @import { Exporter } from './packages.js'
 */

/**
 * @param {Collector} collector
 * @param {() => Promise<Measurements | null>} measure null: no daemon is running
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
 * @param {() => Promise<Measurements | null>} measure
 * @returns {Promise<string | null>} why it failed; null: it did not
 */
async function exportOnce(exporter, resource, measure) {
  try {
    const metrics = otlpMetrics(metricFamilies(await measure()), Date.now());
    const scope = { name: 'nodecluster', version: VERSION };
    const batch = { resource, scopeMetrics: [{ scope, metrics }] };
    /** @type {{code: number, error?: Error}} */
    const { code, error } = await new Promise((resolve) => exporter.export(batch, resolve));
    return code === 0 ? null : (error?.message ?? 'the collector did not accept them');
  } catch (thrown) {
    return NodeclusterError.from(thrown).message;
  }
}
