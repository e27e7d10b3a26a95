import t from 'tap';
import { readTarget } from '../../../src/api/selectors.js';

const files = [
  '-',
  'eco.yml',
  'eco.yaml',
  'a/eco.json',
  'my.config.js',
  'x.config.cjs',
  'x.config.mjs',
  'x.config.ts',
  'x.config.cts',
];
const selectors = ['api', '3', 'api:1', 'all', '/^api/', 'app.js', 'config.js', 'a.b'];

t.test('no argument means the directory', async (t) => {
  t.same(readTarget({ words: [], options: {}, command: 'reload' }), { kind: 'directory' });
});

for (const file of files) {
  t.test(`${file} is an ecosystem file`, async (t) => {
    t.same(readTarget({ words: [file], options: {}, command: 'reload' }), { kind: 'file', file });
  });
}

t.test('anything else is a selector', async (t) => {
  t.same(readTarget({ words: selectors, options: {}, command: 'reload' }), {
    kind: 'selectors',
    selectors,
  });
});

t.test('a file cannot be combined with selectors', async (t) => {
  t.throws(() => readTarget({ words: ['api', 'eco.yml'], options: {}, command: 'stop' }), {
    code: 'E_MIXED_TARGETS',
    data: { file: 'eco.yml', command: 'stop' },
  });
});
