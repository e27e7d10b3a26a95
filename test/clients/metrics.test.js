import t from 'tap';
import { once } from 'node:events';
import { connect } from 'node:net';
import { otlpMetrics, exportIntervalIn } from '../../src/clients/metrics/otlp.js';
import { serveEndpoint } from '../../src/clients/metrics/outlets.js';
import { LATENCY_BOUNDS_MS } from '../../src/shared/latency.js';
import { renderMetrics } from '../../src/show/metrics.js';
import { answerOf } from '../support/http-ask.js';
import { faultsOf } from '../support/metrics/exposition.js';
import { read } from '../support/sources.js';

function counted(counts = {}) {
  return { counts: [...LATENCY_BOUNDS_MS, Infinity].map((ms) => counts[ms] ?? 0), sumMs: 1500 };
}

const usage = { cpu: 1, memory: 4096, ctime: 2500 };
const report = {
  ...{ activeMs: 1000, idleMs: 9000, heapUsed: 10, heapTotal: 20, connections: 3 },
  ...{ requests: 7, errors: 1, delay: counted({ 50: 2 }) },
  latency: counted({ 0.1: 1, 1.5: 2, 10: 3, 60_000: 1 }),
};
const worker = {
  ...{ slot: 0, status: 'online', startedAt: 1, restarts: 4, cpu: 1, memory: 4096 },
  ...{ cpuTimeMs: 2500, report },
  ...{ isReady: true, health: { status: 'healthy' } },
  requests: { open: 2, answered: 7, errors: 0 },
};
const unmeasured = { cpuTimeMs: undefined, report: undefined };
const app = {
  ...{ name: 'api', namespace: 'shop', instances: 2, generation: 3, primaryUsage: usage },
  reloads: { ok: 2, failed: 1, rolledBack: 0 },
  lastReload: { ok: false, at: 1_000_000, durationMs: 1500 },
  logDroppedBytes: 4096,
  connectionsGivenUp: 7,
  autoscaling: { min: 2, max: 8 },
  programMetrics: { families: [], failure: null },
  job: { skipped: 2, nextRunAt: 3_000_000, lastRun: { ok: true, at: 2_000_000, durationMs: 500 } },
  workers: [
    worker,
    { ...worker, ...unmeasured, slot: 1, status: 'errored', isReady: false },
    { ...worker, slot: 2, health: undefined },
  ],
};
const daemon = { version: '1.2.3', node: 'v20.0.0', startedAt: 5000, usage };
const text = renderMetrics({ daemon, apps: [app] });
const lines = text.split('\n');

t.test('what was measured, in base units', async (t) => {
  const labels = 'app="api",namespace="shop"';
  for (const line of [
    'nodecluster_build_info{version="1.2.3",node="v20.0.0"} 1',
    'nodecluster_daemon_up 1',
    'nodecluster_supervisor_cpu_seconds_total{process="primary",app="api"} 2.5',
    `nodecluster_app_workers{${labels}} 2`,
    `nodecluster_app_reloads_total{${labels},outcome="failed"} 1`,
    `nodecluster_app_last_reload_successful{${labels}} 0`,
    `nodecluster_app_workers_max{${labels}} 8`,
    `nodecluster_worker_errored{${labels},worker="1"} 1`,
    `nodecluster_worker_up{${labels},worker="0"} 1`,
    `nodecluster_worker_ready{${labels},worker="1"} 0`,
    `nodecluster_worker_cpu_seconds_total{${labels},worker="0"} 2.5`,
    `nodecluster_worker_http_oldest_request_seconds{${labels},worker="0"} 0`,
    `nodecluster_worker_http_request_duration_seconds_bucket{${labels},worker="0",le="0.002"} 3`,
    `nodecluster_worker_http_request_duration_seconds_bucket{${labels},worker="0",le="10"} 6`,
    `nodecluster_worker_http_request_duration_seconds_bucket{${labels},worker="0",le="+Inf"} 7`,
    `nodecluster_worker_http_request_duration_seconds_sum{${labels},worker="0"} 1.5`,
  ]) {
    t.ok(lines.includes(line), line);
  }
});

t.test('what is not known is left out, and Prometheus accepts it', async (t) => {
  t.same(faultsOf(text), []);
  t.notMatch(text, /cpu_seconds_total\{[^}]*worker="1"/);
  t.notMatch(text, /http_requests_total\{[^}]*worker="1"/);
  t.notMatch(text, /null|undefined|NaN/);
});

t.test('docs/guides/metrics.md lists every metric', async (t) => {
  const families = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const page = read('docs/guides/metrics.md');
  const rows = [...page.matchAll(/^\| `(nodecluster_\w+)` +\| (\w+) +\|/gm)];
  const named = (found) => found.map(([, name, type]) => [name, type]).sort();
  t.same(named(rows), named(families));
});

t.test('how often metrics are exported', async (t) => {
  t.equal(exportIntervalIn({ OTEL_METRIC_EXPORT_INTERVAL: '5000' }), 5000);
  for (const OTEL_METRIC_EXPORT_INTERVAL of [undefined, '-1', 'often', '120000'])
    t.equal(exportIntervalIn({ OTEL_METRIC_EXPORT_INTERVAL }), 60_000);
});

const NOW = 1_700_000_000_250;
const endTime = [1_700_000_000, 250_000_000];
const startTime = [0, 0];
const labels = { app: 'api', worker: 0 };
const attributes = { app: 'api', worker: '0' };
const family = (type, samples, name = 'm') => ({ name, type, help: 'Help.', samples });
const only = (...families) => otlpMetrics(families, NOW)[0];

t.test('counters and gauges', async (t) => {
  const name = 'nodecluster_worker_cpu_seconds_total';
  t.match(only(family('counter', [{ labels, value: 2 }], name)), {
    descriptor: { name, description: 'Help.', unit: 's' },
    ...{ aggregationTemporality: 1, dataPointType: 3, isMonotonic: true },
    dataPoints: [{ startTime, endTime, attributes, value: 2 }],
  });
  const gauge = only(family('gauge', [{ labels, value: -1.5 }], 'heap_bytes'));
  t.match(gauge, { dataPointType: 2, descriptor: { unit: 'By' }, dataPoints: [{ value: -1.5 }] });
  t.notOk('isMonotonic' in gauge);
});

t.test('what would make a collector refuse everything is left out', async (t) => {
  const bucket = (le, value) => ({ labels: { le }, suffix: '_bucket', value });
  for (const [title, samples] of Object.entries({
    'buckets that fall': [bucket('1', 3), bucket('+Inf', 2)],
    'half a request': [bucket('1', 0.5), bucket('+Inf', 1)],
    'no last bucket': [bucket('1', 3)],
    'a sum alone': [{ labels: {}, suffix: '_sum', value: 1 }],
  })) {
    t.same(otlpMetrics([family('histogram', samples)], NOW), [], title);
  }
});

t.test('a histogram, whose buckets may come in any order', async (t) => {
  const value = { buckets: { boundaries: [0.5, 1], counts: [2, 0, 1] }, sum: 4, count: 3 };
  const line = (suffix, value, le) => ({ labels: le ? { ...labels, le } : labels, suffix, value });
  const lines = [
    ...[line('_bucket', 2, '0.5'), line('_bucket', 3, '+Inf'), line('_bucket', 2, '1')],
    ...[line('_sum', 4), line('_count', 3)],
  ];
  t.same(only(family('histogram', lines)).dataPoints, [{ startTime, endTime, attributes, value }]);
});

t.test('a summary becomes two sums, and what has no samples is left out', async (t) => {
  const samples = [
    { labels: { ...labels, quantile: '0.5' }, suffix: '', value: 1 },
    { labels, suffix: '_sum', value: 5 },
    { labels, suffix: '_count', value: 2 },
  ];
  const metrics = otlpMetrics([family('summary', samples), family('gauge', [])], NOW);
  const found = metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0].value]);
  t.same(Object.fromEntries(found), { m_sum: 5, m_count: 2 });
});

const yes = { ok: true, reasons: [] };
const reason = '0 of 1 worker ready, 1 needed (worker 0: exited with code 1)';
const no = {
  ok: false,
  reasons: [
    { app: 'api', reason },
    { app: null, reason: 'no app runs' },
  ],
};

const verdictsOf = (ready) => ({ live: yes, ready, startup: yes });

const serve = async (t, verdicts = verdictsOf(no), measure = async () => null) => {
  const { server, address } = await serveEndpoint(
    { host: '127.0.0.1', port: 0, allowedHosts: ['metrics.internal'] },
    { probe: async () => verdicts, measure },
  );
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return Number(address.split(':')[1]);
};

t.test('probes by GET and HEAD, under every name', async (t) => {
  const port = await serve(t);
  t.match(await fetchText(port, '/live'), { status: 200, body: 'live\n', cache: 'no-store' });
  t.match(await fetchText(port, '/startup?x=1'), { status: 200, body: 'started\n' });
  const body = `not ready\napi: ${reason}\nno app runs\n`;
  t.match(await fetchText(port, '/ready'), { status: 503, type: /^text\/plain/, body });
  t.match(await fetchText(port, '/ready', { method: 'HEAD' }), { status: 503, body: '' });
  t.match(await fetchText(port, '/live', { headers: { host: 'pod.example' } }), { status: 200 });
  t.match(await fetchText(port, '/live', { method: 'POST' }), { status: 405 });
});

t.test('a reason that quotes secrets', async (t) => {
  const reason = 'GET /health: 503 no postgres://shop:hunter2@db/shop, run with --token hunter2';
  const port = await serve(t, verdictsOf({ ok: false, reasons: [{ app: 'api', reason }] }));
  const { body } = await fetchText(port, '/ready');
  t.match(body, 'postgres://shop:********@db/shop, run with --token ********');
  t.notMatch(body, 'hunter2');
});

t.test('metrics only under allowed names, and nothing else', async (t) => {
  const port = await serve(t);
  const type = /^text\/plain; version=0\.0\.4/;
  const body = /nodecluster_daemon_up 0/;
  t.match(await fetchText(port, '/metrics'), { status: 200, type, body });
  t.match(await fetchText(port, '/metrics', { method: 'POST' }), { status: 405 });
  const named = (host) => fetchText(port, '/metrics', { headers: { host } });
  t.match(await named('metrics.internal:9464'), { status: 200 });
  t.match(await named('evil.example'), { status: 403, body: /^(?!nodecluster_).*--allow-host/ });
  t.match(await fetchText(port, '/'), { status: 404, body: /\/live, \/ready and \/startup/ });
  t.match(await fetchText(port, '/constructor'), { status: 404 });
  t.match(await fetchText(port, `/${'x'.repeat(20_000)}`), { status: 431 });
});

t.test('a client that floods closes only its own connections', async (t) => {
  const port = await serve(t);
  const prober = connect(port, '127.0.0.1');
  await once(prober, 'connect');
  const heard = Promise.race([once(prober, 'data'), once(prober, 'close')]);
  const flood = Array.from({ length: 200 }, () =>
    connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {}),
  );
  await Promise.all(flood.map((socket) => once(socket, 'connect')));
  // Accepted after all of them.
  await fetchText(port, '/live', { localAddress: '127.0.0.2' });
  prober.write('GET /live HTTP/1.1\r\nHost: pod\r\n\r\n');
  const [reply] = await heard;
  t.match(String(reply), /^HTTP\/1.1 200/);
  for (const socket of [prober, ...flood]) socket.destroy();
});

t.test('a source that fails', async (t) => {
  const port = await serve(t, undefined, () => Promise.reject(new Error('no figures')));
  t.match(await fetchText(port, '/metrics'), { status: 503 });
});

async function fetchText(port, path, options) {
  const { status, headers, body } = await answerOf({ port, path, ...options });
  return { status, type: headers['content-type'], cache: headers['cache-control'], body };
}
