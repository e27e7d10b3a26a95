import t from 'tap';
import { programMetrics } from '../../src/features/program-metrics/daemon.js';
import { NodeclusterError } from '../../src/errors/error.js';
import { programFamily } from '../../src/protocol/checks.js';
import { Sums } from '../../src/features/program-metrics/primary.js';
import { renderMetrics } from '../../src/show/metrics.js';
import { faultsOf } from '../support/metrics/exposition.js';

const familyOf = (name, count) => ({
  ...{ name, type: 'counter', help: '' },
  samples: Array.from({ length: count }, (_, index) => ['', { index: String(index) }, 1]),
});
const replyWith = (...families) => ({ families, failure: null });
const appWith = (name, reply) => ({
  name,
  link: { state: 'connected', request: async () => reply() },
});
const FIELDS = ['programMetrics'];
const warnings = [];
const log = { warn: (event, fields) => warnings.push([event, fields]) };

async function measured(apps, fields = FIELDS) {
  const add = await programMetrics({ log }).measure(apps, fields);
  return (app) => {
    const record = {};
    add(app, record);
    return record.programMetrics;
  };
}

t.test('what cannot be had is a failure of that app only, and is logged once', async (t) => {
  const late = new NodeclusterError('E_PROTOCOL_TIMEOUT', { what: 'program-metrics', ms: 1 });
  const busy = appWith('busy', () => Promise.reject(late));
  const big = appWith('big', () => replyWith(familyOf('huge', 150_000)));
  const api = appWith('api', () => replyWith(familyOf('a', 1)));
  const known = await measured([busy, big, api]);
  t.match(known(busy), { families: [], failure: String });
  t.match(known(big), { families: [], failure: /exceed 2 MiB/ });
  t.match(known(api), { families: [{ name: 'a' }], failure: null });
  const unasked = await measured([appWith('api', () => t.fail('asked'))], []);
  t.equal(unasked(api), undefined, 'nobody is asked without need');
  warnings.length = 0;
  const failing = appWith('api', () => ({ ...replyWith(), failure: 'the pool is closed' }));
  const { measure } = programMetrics({ log });
  await measure([failing], FIELDS);
  await measure([failing], FIELDS);
  const fields = { app: 'api', reason: 'the pool is closed' };
  t.same(warnings, [['program-metrics.failed', fields]]);
});

/** Samples are `[labels, value]`, or with a suffix in front. */
const family = (type, samples, aggregator = 'sum') => ({
  ...{ name: 'm', type, help: 'Help.', aggregator },
  samples: samples.map((sample) => (sample.length === 3 ? sample : ['', ...sample])),
});
const merged = (...workers) => {
  const all = new Sums();
  for (const families of workers) all.add(families);
  return all.families.map(({ samples }) => samples)[0];
};
const bucket = (le, value) => ['_bucket', { le }, value];

const parts = (sum, count) => [
  ['_sum', {}, sum],
  ['_count', {}, count],
];
const ab = (a, b, value) => [{ a, b }, value];
const ROWS = [
  ['counters', 'counter', 'sum', [[{ a: '1' }, 2]], [[{ a: '1' }, 3]], [['', { a: '1' }, 5]]],
  [
    'each set of labels by itself, in any order',
    ...['counter', 'sum', [ab('1', '2', 2)], [[{ b: '2', a: '1' }, 3], ab('2', '2', 1)]],
    [
      ['', { a: '1', b: '2' }, 5],
      ['', { a: '2', b: '2' }, 1],
    ],
  ],
  ['a gauge by sum', 'gauge', 'sum', [[{}, 2]], [[{}, 4]], [['', {}, 6]]],
  ['by average', 'gauge', 'average', [[{}, 2]], [[{}, 4]], [['', {}, 3]]],
  ['by min', 'gauge', 'min', [[{}, 2]], [[{}, 4]], [['', {}, 2]]],
  ['by max', 'gauge', 'max', [[{}, 2]], [[{}, 4]], [['', {}, 4]]],
  ['by first', 'gauge', 'first', [[{}, 2]], [[{}, 4]], [['', {}, 2]]],
  [
    ...['buckets', 'histogram', 'sum', [bucket('1', 1), bucket('+Inf', 2)]],
    [bucket('1', 0), bucket('+Inf', 3)],
    [bucket('1', 1), bucket('+Inf', 5)],
  ],
  ['a histogram without samples', 'histogram', 'sum', [bucket('1', 1)], [], [bucket('1', 1)]],
  ['a summary', 'summary', 'sum', parts(3, 1), parts(5, 2), parts(8, 3)],
];

t.test('over the workers', async (t) => {
  for (const [title, type, aggregator, one, other, expected] of ROWS) {
    const all = [[family(type, one, aggregator)], [family(type, other, aggregator)]];
    t.same(merged(...all), expected, title);
  }
  const loads = [2, 4, 9].map((value) => [family('gauge', [[{}, value]], 'average')]);
  t.same(merged(...loads), [['', {}, 5]], 'an average of three');
  const changed = [[family('gauge', [[{}, 7]])], [family('counter', [[{}, 1]])]];
  t.same(merged(...changed), [['', {}, 1]], 'another type: that of the newest worker');
});

const valid = { ...family('counter', [[{ code: '200', route: '/' }, 1]]), name: 'a:b_total' };
t.test('what a worker may report', async (t) => {
  t.equal(programFamily(valid), null);
  for (const [title, change] of Object.entries({
    'a name with a blank': { name: 'a b' },
    'a name that begins with a digit': { name: '1a' },
    'no name': { name: null },
    'a name of nodecluster': { name: 'nodecluster_daemon_up' },
    'an unknown type': { type: 'constructor' },
    'a list of types': { type: ['counter'] },
    'a list of aggregators': { aggregator: ['sum'] },
    'an unknown aggregator': { aggregator: 'toString' },
    'a long help': { help: 'x'.repeat(5000) },
    'no samples': { samples: 1 },
    'a sample that is none': { samples: [null] },
    'an unknown suffix': { samples: [['_x', {}, 1]] },
    'a label with a quote': { samples: [['', { 'a"': '1' }, 1]] },
    'a label of Prometheus': { samples: [['', { __name__: '1' }, 1]] },
    'a label that is a map': { samples: [['', { a: {} }, 1]] },
    'a long label': { samples: [['', { a: 'x'.repeat(2000) }, 1]] },
    'labels that are a list': { samples: [['', ['a'], 1]] },
    'a value that is text': { samples: [['', {}, '1']] },
    'no value': { samples: [['', {}, null]] },
  })) {
    t.not(programFamily({ ...valid, ...change }), null, title);
  }
});

const daemon = { version: '1.2.3', node: 'v20.0.0', startedAt: 5000, usage: null };
const exposed = (samples, change = {}) => ({
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

t.test('each app has its label, a name is described once, and its first type counts', async (t) => {
  const apps = [
    app('api', [exposed([['', { code: '200', app: 'mine' }, 3]])]),
    app('admin', [exposed([['', {}, 1]], { help: 'Other words.' })]),
    app('other', [exposed([['', {}, 9]], { type: 'gauge' })]),
  ];
  t.same(linesOf(...apps), [
    '# HELP orders_total Orders.',
    '# TYPE orders_total counter',
    'orders_total{app="api",namespace="shop",code="200",exported_app="mine"} 3',
    'orders_total{app="admin",namespace="shop"} 1',
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
      exposed(histogram, { name: 'time_seconds', type: 'histogram', help: 'A \\ and\na line' }),
      exposed([['', { a: '"\\\n' }, -1.5]], { name: 'least', type: 'gauge' }),
      exposed([], { name: 'nothing' }),
    ]),
  );
  t.notMatch(lines.join('\n'), 'nothing', 'a family without samples');
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
