import t from 'tap';
import {
  isFamily,
  lengthOf,
  readFamilies,
} from '../../../src/features/program-metrics/families.js';

const family = { name: 'a:b_total', type: 'counter', help: 'Help.', aggregator: 'sum' };
const valid = { ...family, samples: [['', { code: 200, ok: true, route: '/' }, 1]] };
const read = (change) => readFamilies(JSON.stringify([{ ...valid, ...change }]));

t.test('what prom-client has in its registry', async (t) => {
  const { families, dropped } = read({});
  t.equal(dropped, 0);
  t.same(families, [{ ...family, samples: [['', { code: '200', ok: 'true', route: '/' }, 1]] }]);
  t.same(read({ samples: [['', {}, '-Inf']] }).families[0].samples, [['', {}, '-Inf']]);
  t.equal(read({ help: 'x'.repeat(5000) }).families[0].help.length, 1000);
  const [[, labels]] = read({ samples: [['', { a: null, b: 'x'.repeat(2000) }, 1]] }).families[0]
    .samples;
  t.same(labels, { a: 'null', b: 'x'.repeat(1000) });
});

t.test('what it would not have', async (t) => {
  for (const [title, change] of Object.entries({
    'a name with a blank': { name: 'a b' },
    'a name that begins with a digit': { name: '1a' },
    'no name': { name: null },
    'a name of nodecluster': { name: 'nodecluster_daemon_up' },
    'an unknown type': { type: 'constructor' },
    'a list of types': { type: ['counter'] },
    'a list of aggregators': { aggregator: ['sum'] },
    'an unknown aggregator': { aggregator: 'toString' },
    'no samples': { samples: 1 },
    'a sample that is none': { samples: [null] },
    'a suffix of another type': { samples: [['_bucket', { le: '1' }, 1]] },
    'a bucket without a bound': { type: 'histogram', samples: [['_bucket', {}, 1]] },
    'a label with a quote': { samples: [['', { 'a"': '1' }, 1]] },
    'a label of Prometheus': { samples: [['', { __name__: '1' }, 1]] },
    'a label that is a map': { samples: [['', { a: {} }, 1]] },
    'a label that is a list': { samples: [['', { a: [1] }, 1]] },
    'labels that are a list': { samples: [['', ['a'], 1]] },
    'a value that is text': { samples: [['', {}, '1']] },
    'no value': { samples: [['', {}, null]] },
  })) {
    t.same(read(change), { families: [], dropped: 1 }, title);
  }
  for (const text of ['', '{', '1', 'null', '{}']) t.same(readFamilies(text).families, [], text);
});

t.test('the daemon checks what a primary reports in the same way', async (t) => {
  const [{ name, type, help, samples }] = read({}).families;
  const reported = { name, type, help, samples };
  t.ok(isFamily(reported));
  t.notOk(isFamily({ ...reported, help: 'x'.repeat(5000) }));
  t.notOk(isFamily({ ...reported, samples: [['', {}, 'Infinity']] }));
  t.notOk(isFamily(null));
  t.ok(lengthOf(reported) >= JSON.stringify(reported).length);
});
