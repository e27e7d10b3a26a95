/**
 * The packages of OpenTelemetry that export metrics. nodecluster does not depend on them: who wants to
 * export installs them.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { NodeclusterError } from '../../../errors/error.js';

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
 * @param {string} cwd where they are looked up if they are not installed beside nodecluster
 * @returns {OtlpPackages}
 * @throws {NodeclusterError} E_OTLP_PACKAGES
 */
export function loadPackages(cwd) {
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
