import t from 'tap';
import { targetOf } from '../../../src/cli/actions/targets.js';

const files = [
  '-',
  'eco.yml',
  'eco.yaml',
  'a/eco.json',
  'my.config.js',
  'x.config.cjs',
  'x.config.mjs',
];
const selectors = ['api', '3', 'api:1', 'all', '/^api/', 'app.js', 'config.js', 'a.b'];

t.test('nothing is the folder', async (t) => {
  t.same(targetOf([], 'reload'), { kind: 'folder' });
});

for (const file of files) {
  t.test(`${file} is an ecosystem file`, async (t) => {
    t.same(targetOf([file], 'reload'), { kind: 'file', file });
  });
}

t.test('anything else are selectors', async (t) => {
  t.same(targetOf(selectors, 'reload'), { kind: 'selectors', selectors });
});

t.test('a file comes alone', async (t) => {
  t.throws(() => targetOf(['api', 'eco.yml'], 'stop'), {
    code: 'E_MIXED_TARGETS',
    data: { file: 'eco.yml', command: 'stop' },
  });
});
