/** Metrics of programs beside those of nodecluster. */
import t from 'tap';
import { renderMetrics } from '../../../src/show/metrics.js';
import { faultsOf } from '../../support/metrics/exposition.js';

const daemon = { version: '1.2.3', node: 'v20.0.0', startedAt: 5000, usage: null };
const family = (samples, change = {}) => ({
  ...{ name: 'orders_total', type: 'counter', help: 'Orders.', samples },
  ...change,
});
const app = (name, families, failure = null) => ({
  ...{ name, namespace: 'shop', instances: 1, generation: 1, primaryUsage: null, workers: [] },
  programMetrics: { families, failure },
});
const linesOf = (...apps) => {
  const text = renderMetrics({ daemon, apps });
  t.same(faultsOf(text), [], 'Prometheus accepts it');
  return text.split('\n').filter((line) => !line.includes(' nodecluster_') && line[0] !== 'n');
};

t.test('each app has its label, and a name is described once', async (t) => {
  t.same(
    linesOf(
      app('api', [family([['', { code: '200' }, 3]])]),
      app('admin', [family([['', {}, 1]], { help: 'Other words.' })]),
    ),
    [
      '# HELP orders_total Orders.',
      '# TYPE orders_total counter',
      'orders_total{app="api",namespace="shop",code="200"} 3',
      'orders_total{app="admin",namespace="shop"} 1',
    ],
  );
});

t.test('a label of the program with the same name is renamed', async (t) => {
  t.same(linesOf(app('api', [family([['', { app: 'mine' }, 1]])])).slice(2), [
    'orders_total{app="api",namespace="shop",exported_app="mine"} 1',
  ]);
});

t.test('of two types with one name, the first counts', async (t) => {
  const other = family([['', {}, 9]], { type: 'gauge' });
  const lines = linesOf(app('api', [family([['', {}, 1]])]), app('admin', [other]));
  t.same(lines.slice(1), [
    '# TYPE orders_total counter',
    'orders_total{app="api",namespace="shop"} 1',
  ]);
});

t.test('every form of a sample', async (t) => {
  const histogram = [
    ['_bucket', { le: '0.5' }, 1],
    ['_bucket', { le: '+Inf' }, 2],
    ['_sum', {}, 1e21],
    ['_count', {}, 2],
  ];
  const lines = linesOf(
    app('api', [
      family(histogram, { name: 'time_seconds', type: 'histogram', help: 'A \\ and\na line' }),
      family([['', { a: '"\\\n' }, -1.5]], { name: 'least', type: 'gauge' }),
    ]),
  );
  t.matchStrict(lines.join('\n'), /^# HELP time_seconds A \\\\ and\\na line$/m);
  t.ok(lines.includes('time_seconds_bucket{app="api",namespace="shop",le="+Inf"} 2'));
  t.ok(lines.includes('time_seconds_sum{app="api",namespace="shop"} 1e+21'));
  t.ok(lines.includes('least{app="api",namespace="shop",a="\\"\\\\\\n"} -1.5'));
});

t.test('what is missing is told', async (t) => {
  const none = { ...app('none', []), programMetrics: null };
  const text = renderMetrics({ daemon, apps: [app('api', [], 'no'), none] });
  t.match(text, 'nodecluster_app_program_metrics_failed{app="api",namespace="shop"} 1');
  t.notMatch(text, 'app="none",namespace="shop"} null');
});
