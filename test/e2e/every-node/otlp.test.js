/** Metrics sent to a collector, by the packages of OpenTelemetry where they are installed. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { listening } from '../../support/listening.js';
import { freePort } from '../../support/ports.js';
import { within } from '../../support/until.js';

/** Where `.ci/run` has installed them: they are no dependency. */
const DIRECTORY = process.env.NODECLUSTER_TEST_OTLP ?? '';
const skip = !DIRECTORY && 'the packages of OpenTelemetry are not installed';

t.test('without the packages it says what to install', async (t) => {
  const { run } = testHome(t);
  for (const command of [['metrics'], ['run', app('http-pid.cjs')]]) {
    const { code, stderr } = await run([...command, '--otlp']);
    t.equal(code, 7);
    t.match(stderr, 'npm install @opentelemetry/exporter-metrics-otlp-http');
  }
});

t.test('metrics --otlp and run --otlp', { skip }, async (t) => {
  const { ok, begin } = testHome(t);
  const collector = await startCollector(t);
  const PORT = String(await freePort());
  const env = {
    PORT,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
  };
  await ok(['start', app('http-pid.cjs'), '--name', 'api'], { env });
  const exporting = begin(['metrics', '--otlp'], { cwd: DIRECTORY, env });
  t.teardown(() => exporting.child.kill('SIGKILL'));
  const { path, headers, body } = await collector.received();
  t.equal(path, '/v1/metrics');
  t.equal(headers.authorization, 'secret');
  await exporting.said(/Metrics exported/);
  const [{ resource, scopeMetrics }] = body.resourceMetrics;
  t.match(attributesOf(resource), { 'service.name': 'nodecluster' });
  const metrics = new Map(scopeMetrics[0].metrics.map((metric) => [metric.name, metric]));
  const up = metrics.get('nodecluster_worker_up').gauge.dataPoints[0];
  t.match(attributesOf(up), { app: 'api', worker: '0' });
  t.equal(up.asDouble, 1);
  const cpu = metrics.get('nodecluster_worker_cpu_seconds_total');
  t.match(cpu, { unit: 's', sum: { isMonotonic: true, aggregationTemporality: 2 } });
  const delay = metrics.get('nodecluster_worker_event_loop_delay_seconds').histogram.dataPoints[0];
  t.equal(delay.bucketCounts.length, delay.explicitBounds.length + 1);
  exporting.child.kill();

  const running = begin(['run', app('http-pid.cjs'), '--otlp'], {
    cwd: DIRECTORY,
    env: {
      PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    },
  });
  t.teardown(() => running.child.kill());
  const names = (await collector.received()).body.resourceMetrics[0].scopeMetrics[0].metrics;
  t.ok(names.some(({ name }) => name === 'nodecluster_daemon_up'));
});

async function startCollector(t) {
  let onRequest = () => {};
  const server = createServer(async (request, response) => {
    const body = await json(request);
    response.setHeader('Content-Type', 'application/json').end('{}');
    onRequest({ path: request.url, headers: request.headers, body });
  });
  return {
    url: `http://127.0.0.1:${await listening(t, server)}`,
    received: () => within(new Promise((resolve) => (onRequest = resolve)), 'an export'),
  };
}

function attributesOf({ attributes }) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
}
