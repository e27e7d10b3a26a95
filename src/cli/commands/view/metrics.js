import { serveMetrics } from '../../actions/metrics-endpoint.js';
import { renderMetrics } from '../../render/metrics/metrics.js';

/**
 * @import { Context } from '../../context.js'
 * @import { CommandData } from '../../verbs.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'print metrics for Prometheus, or serve them',
  details:
    'Workers measure their event loop and their HTTP requests only while somebody asks, and for ' +
    'two minutes after that: whoever collects metrics more often than that misses nothing.',
  arguments: [],
  options: [
    {
      flags: '--listen <address>',
      summary:
        'serve them on http://<address>/metrics until it is ended; a port is one of loopback',
    },
    { flags: '--openmetrics', summary: 'in the format of OpenMetrics; the endpoint offers both' },
  ],
  examples: [
    'nodecluster metrics',
    'nodecluster metrics --listen 127.0.0.1:9100',
    'nodecluster metrics > /var/lib/node_exporter/nodecluster.prom',
  ],
};

/** @param {Context} context */
export async function run(context) {
  const { daemons, options, print } = context;
  if (options.listen !== undefined) return serveMetrics(context, options.listen);
  const client = await daemons.open('recorded');
  const measured = client ? await client.request('metrics', {}) : null;
  print(renderMetrics(measured, options.openmetrics ? 'openmetrics' : 'prometheus'));
  return 0;
}
