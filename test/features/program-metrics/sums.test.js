import t from 'tap';
import { programFamily } from '../../../src/primary/checks.js';
import { Sums } from '../../../src/features/program-metrics/primary.js';

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

const ROWS = [
  ['counters', 'counter', 'sum', [[{ a: '1' }, 2]], [[{ a: '1' }, 3]], [['', { a: '1' }, 5]]],
  [
    'each set of labels by itself, in any order',
    ...['counter', 'sum', [[{ a: '1', b: '2' }, 2]]],
    [
      [{ b: '2', a: '1' }, 3],
      [{ a: '2' }, 1],
    ],
    [
      ['', { a: '1', b: '2' }, 5],
      ['', { a: '2' }, 1],
    ],
  ],
  ['a gauge by sum', 'gauge', 'sum', [[{}, 2]], [[{}, 4]], [['', {}, 6]]],
  ['by average', 'gauge', 'average', [[{}, 2]], [[{}, 4]], [['', {}, 3]]],
  ['by min', 'gauge', 'min', [[{}, 2]], [[{}, 4]], [['', {}, 2]]],
  ['by max', 'gauge', 'max', [[{}, 2]], [[{}, 4]], [['', {}, 4]]],
  ['by first', 'gauge', 'first', [[{}, 2]], [[{}, 4]], [['', {}, 2]]],
  [
    'buckets',
    ...['histogram', 'sum', [bucket('1', 1), bucket('+Inf', 2)]],
    [bucket('1', 0), bucket('+Inf', 3)],
    [bucket('1', 1), bucket('+Inf', 5)],
  ],
  ['a histogram without samples', 'histogram', 'sum', [bucket('1', 1)], [], [bucket('1', 1)]],
  [
    'a summary',
    ...[
      'summary',
      'sum',
      [
        ['_sum', {}, 3],
        ['_count', {}, 1],
      ],
    ],
    [
      ['_sum', {}, 5],
      ['_count', {}, 2],
    ],
    [
      ['_sum', {}, 8],
      ['_count', {}, 3],
    ],
  ],
];

for (const [title, type, aggregator, one, other, expected] of ROWS) {
  t.test(title, async (t) => {
    t.same(merged([family(type, one, aggregator)], [family(type, other, aggregator)]), expected);
  });
}

t.test('a metric that has become another type is that of the newest worker', async (t) => {
  t.same(merged([family('gauge', [[{}, 7]])], [family('counter', [[{}, 1]])]), [['', {}, 1]]);
});

t.test('an average of three', async (t) => {
  const loads = [2, 4, 9].map((value) => [family('gauge', [[{}, value]], 'average')]);
  t.same(merged(...loads), [['', {}, 5]]);
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
