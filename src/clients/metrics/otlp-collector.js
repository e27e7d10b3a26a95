/** Where metrics are exported to, and how often. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @typedef {object} Collector
 * @property {string | null} url null: OTEL_EXPORTER_OTLP_ENDPOINT says it
 * @property {number} everyMs between two exports
 * @property {string} cwd where the packages may be installed
 */

export const MIN_EVERY_MS = 1000;
/** Workers measure for two minutes after a request. The SDKs of OpenTelemetry export as often by default. */
export const MAX_EVERY_MS = 60_000;
/** The path of metrics in OTLP/HTTP. */
const PATH = 'v1/metrics';
/** Stands for the environment in place of a URL. */
const FROM_ENVIRONMENT = 'env';

/**
 * @param {object} order
 * @param {string} order.url as the user typed it
 * @param {number} [order.everyMs] default: OTEL_METRIC_EXPORT_INTERVAL, at most a minute
 * @param {string} order.cwd
 * @param {Record<string, string | undefined>} order.env
 * @returns {Collector}
 * @throws {NodeclusterError} E_OTLP_URL
 */
export function readCollector({ url, everyMs, cwd, env }) {
  const given = Number(env.OTEL_METRIC_EXPORT_INTERVAL);
  const usual = given >= MIN_EVERY_MS ? Math.min(given, MAX_EVERY_MS) : MAX_EVERY_MS;
  return { url: readUrl(url), everyMs: everyMs ?? usual, cwd };
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
