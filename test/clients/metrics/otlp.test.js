import t from 'tap';
import { readCollector, otlpMetrics } from '../../../src/clients/metrics/otlp.js';

const read = (url, change = {}) => readCollector({ url, cwd: '/srv', env: {}, ...change });

t.test('the address of a collector', async (t) => {
  for (const [text, url] of [
    ['http://localhost:4318', 'http://localhost:4318/v1/metrics'],
    ['https://otlp.example.com/tenant/', 'https://otlp.example.com/tenant/v1/metrics'],
    ['http://localhost:4318/v1/metrics', 'http://localhost:4318/v1/metrics'],
    ['http://localhost:4318/?key=1', 'http://localhost:4318/v1/metrics?key=1'],
    ['env', null],
  ]) {
    t.same(read(text), { url, everyMs: 60_000, cwd: '/srv' }, text);
  }
  for (const text of ['', 'localhost', 'localhost:4317', 'ftp://localhost'])
    t.throws(() => read(text), { code: 'E_OTLP_URL' }, text);
});

t.test('how often', async (t) => {
  const env = { OTEL_METRIC_EXPORT_INTERVAL: '5000' };
  t.equal(read('env', { env }).everyMs, 5000);
  for (const OTEL_METRIC_EXPORT_INTERVAL of ['-1', 'often', '120000'])
    t.equal(read('env', { env: { OTEL_METRIC_EXPORT_INTERVAL } }).everyMs, 60_000);
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
