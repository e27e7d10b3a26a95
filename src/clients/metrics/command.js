import { VERSION } from '../../shared/version.js';
import { METRIC_FIELDS, renderMetrics } from '../../show/metrics.js';
import { usageError } from '../../errors/error.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print metrics for Prometheus, serve them, or export them over OTLP',
  details:
    'Workers measure their event loop, heap and connections only while a client polls, and for ' +
    'two minutes afterwards. Poll at least every two minutes, or figures are missing. Requests must use an ' +
    'address, localhost, the name in --listen or one of --allow-host, so that web pages cannot ' +
    'read them under a name of their own. --otlp needs packages of OpenTelemetry, which are looked up beside ' +
    'nodecluster and in this directory.',
  arguments: [],
  options: [
    {
      flags: '--listen <address>',
      summary:
        'serve them on http://<address>/metrics until stopped, and probes on /live, /ready and /startup; a port alone means loopback',
    },
    {
      flags: '--allow-host <name>',
      summary: 'with --listen: answer requests to this host name too; can be given several times',
      repeatable: true,
    },
    {
      flags: '--otlp',
      summary:
        'send them to the collector of OpenTelemetry in OTEL_EXPORTER_OTLP_ENDPOINT (default: http://localhost:4318) until stopped',
    },
  ],
  examples: [
    'nodecluster metrics',
    'nodecluster metrics --listen 127.0.0.1:9464',
    'nodecluster metrics --otlp',
    'nodecluster metrics | grep http_requests',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print } = context;
  const { listen, otlp } = options;
  if (listen !== undefined && otlp) {
    throw usageError('metrics', 'Give --listen or --otlp, not both');
  }
  if (listen !== undefined || otlp) {
    const { exportMetrics, serveMetrics } = await import('./outlets.js');
    return otlp ? exportMetrics(context) : serveMetrics(context);
  }
  const client = await daemons.open();
  const metrics = client ? await client.request('list', { fields: METRIC_FIELDS }) : null;
  print(renderMetrics(metrics, VERSION));
  return 0;
}
