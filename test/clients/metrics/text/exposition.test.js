import t from 'tap';
import { renderExposition } from '../../../../src/clients/metrics/text/exposition.js';

const families = [
  {
    ...{ name: 'x_total', type: 'counter', help: 'All of them.' },
    samples: [
      { labels: {}, value: 2 },
      { labels: { a: 'b"c\\d\n' }, value: 0.5 },
    ],
  },
  {
    ...{ name: 'y_seconds', type: 'histogram', help: 'How long.' },
    samples: [
      { labels: { a: 1 }, distribution: { bounds: [0.1, 1], counts: [2, 0, 1], sum: 5.5 } },
    ],
  },
  { name: 'nothing', type: 'gauge', help: 'Is not known.', samples: [] },
];

t.test('the format of Prometheus', async (t) => {
  t.equal(
    renderExposition(families),
    [
      '# HELP x_total All of them.',
      '# TYPE x_total counter',
      'x_total 2',
      'x_total{a="b\\"c\\\\d\\n"} 0.5',
      '# HELP y_seconds How long.',
      '# TYPE y_seconds histogram',
      'y_seconds_bucket{a="1",le="0.1"} 2',
      'y_seconds_bucket{a="1",le="1"} 2',
      'y_seconds_bucket{a="1",le="+Inf"} 3',
      'y_seconds_sum{a="1"} 5.5',
      'y_seconds_count{a="1"} 3',
    ].join('\n'),
  );
});
