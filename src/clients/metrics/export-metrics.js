/** `metrics --otlp`: the metrics of a home, sent to a collector. */
import { readCollector } from './otlp/collector.js';
import { prepareExport } from './otlp/export.js';
import { formatDuration } from '../../shared/units.js';
import { maskLine } from '../../show/mask.js';
import { fetchMetrics } from './fetch-metrics.js';

/** @import { Context } from '../../cli/context.js' */

/**
 * @param {Context} context its options: `otlp` and perhaps `every`
 * @returns {Promise<number>} never resolves: it exports until the process ends
 * @throws {NodeclusterError} E_OTLP_URL, E_OTLP_PACKAGES
 */
export async function exportMetrics({ cwd, daemons, env, note, options }) {
  const collector = readCollector({ url: options.otlp, everyMs: options.every, cwd, env });
  const begin = prepareExport(
    collector,
    () => fetchMetrics(daemons),
    (reason) =>
      note(reason === null ? 'Metrics exported' : `Could not export metrics: ${maskLine(reason)}`),
  );
  const name = collector.url ? shownUrl(collector.url) : '$OTEL_EXPORTER_OTLP_ENDPOINT';
  note(`Exporting metrics to ${maskLine(name)} every ${formatDuration(collector.everyMs)}`);
  return begin();
}

/** @param {string} text @returns {string} without a password or a key */
function shownUrl(text) {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
