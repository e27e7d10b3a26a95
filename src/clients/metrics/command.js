import { VERSION } from '../../shared/version.js';
import { METRIC_FIELDS, renderMetrics } from '../../show/metrics.js';

/** @import { CommandData, Run } from '../../cli/command.js' */

/** @type {CommandData} */
export const command = {
  summary: 'print metrics for Prometheus, or serve them',
  details:
    'Workers measure their event loop and their HTTP requests only while a client polls, and for ' +
    'two minutes afterwards. Poll at least every two minutes, or figures are missing. Requests must use an ' +
    'address, localhost, the name in --listen or one of --allow-host, so that web pages cannot ' +
    'read them under a name of their own.',
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
  ],
  examples: [
    'nodecluster metrics',
    'nodecluster metrics --listen 127.0.0.1:9100',
    'nodecluster metrics > /var/lib/node_exporter/nodecluster.prom',
  ],
};

/** @type {Run} */
export async function run(context) {
  const { daemons, options, print } = context;
  if (options.listen !== undefined) {
    const { serveMetrics } = await import('./serve.js');
    return serveMetrics(context);
  }
  const client = await daemons.open();
  const metrics = client ? await client.request('list', { fields: METRIC_FIELDS }) : null;
  print(renderMetrics(metrics, VERSION));
  return 0;
}
