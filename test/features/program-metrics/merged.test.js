import t from 'tap';
import { countsOf, Merged } from '../../../src/features/program-metrics/families.js';

/** Samples are `[labels, value]`, or with a suffix in front. */
const family = (type, samples, aggregator = 'sum') => ({
  ...{ name: 'm', type, help: 'Help.', aggregator },
  samples: samples.map((sample) => (sample.length === 3 ? sample : ['', ...sample])),
});
const merged = (...workers) => {
  const all = new Merged();
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
  ['by omit', 'gauge', 'omit', [[{}, 2]], [[{}, 4]], undefined],
  ['no number', 'gauge', 'sum', [[{}, 'NaN']], [[{}, 4]], [['', {}, 'NaN']]],
  ['without end', 'gauge', 'max', [[{}, '+Inf']], [[{}, 4]], [['', {}, '+Inf']]],
  ['the smallest', 'gauge', 'min', [[{}, '-Inf']], [[{}, 4]], [['', {}, '-Inf']]],
  [
    'buckets',
    ...['histogram', 'sum', [bucket('1', 1), bucket('+Inf', 2)]],
    [bucket('1', 0), bucket('+Inf', 3)],
    [bucket('1', 1), bucket('+Inf', 5)],
  ],
  [
    'buckets with other bounds: those of the newest worker',
    ...['histogram', 'sum', [bucket('1', 1), bucket('+Inf', 2)]],
    [bucket('5', 1), bucket('+Inf', 3)],
    [bucket('5', 1), bucket('+Inf', 3)],
  ],
  ['a histogram without samples', 'histogram', 'sum', [bucket('1', 1)], [], [bucket('1', 1)]],
  [
    'a summary without its quantiles, which cannot be added',
    ...[
      'summary',
      'sum',
      [
        [{ quantile: '0.5' }, 2],
        ['_sum', {}, 3],
        ['_count', {}, 1],
      ],
    ],
    [
      [{ quantile: '0.5' }, 4],
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

t.test('one worker alone keeps its quantiles', async (t) => {
  const samples = [[{ quantile: '0.5' }, 2]];
  t.same(merged([family('summary', samples)]), [['', { quantile: '0.5' }, 2]]);
});

t.test('a metric that has become another type is that of the newest worker', async (t) => {
  t.same(merged([family('gauge', [[{}, 7]])], [family('counter', [[{}, 1]])]), [['', {}, 1]]);
});

t.test('of a worker that has exited stays what it counted', async (t) => {
  const families = [
    family('counter', [[{}, 1]]),
    family('counter', [[{}, 1]], 'first'),
    family('gauge', [[{}, 1]]),
    family('summary', [
      [{ quantile: '0.5' }, 2],
      ['_sum', {}, 3],
    ]),
  ];
  t.same(
    countsOf(families).map(({ type, samples }) => [type, samples]),
    [
      ['counter', [['', {}, 1]]],
      ['summary', [['_sum', {}, 3]]],
    ],
  );
});
