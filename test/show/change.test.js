import t from 'tap';
import { changeRows, changeText } from '../../src/show/change.js';

const now = 1_700_000_000_000;
const change = {
  at: now - 60_000,
  action: 'reload',
  by: { role: 'cli', user: 'alice' },
  generation: 2,
  isApplied: true,
  differences: [{ key: 'env.PORT', from: '3000', to: '4000' }, { key: 'env.\u001bX' }],
  omitted: 0,
};

t.test('a row for each command and each difference', async (t) => {
  const earlier = { ...change, by: { role: 'watch' }, differences: [], isApplied: false };
  t.same(changeRows({ changes: [change, earlier] }, now), [
    ['last change', '1m ago: reload by alice (cli)'],
    ['  env.PORT', '"3000" → "4000"'],
    ['  env.\\x1bX', '(none) → (none)'],
    ['before that', '1m ago: reload by watch, not applied, settings and variables as before'],
  ]);
  t.same(changeRows({}, now), []);
});

t.test('one in progress, by nobody who is known, with more than is shown', async (t) => {
  const [port] = change.differences;
  const running = { ...change, by: undefined, isApplied: false, differences: [port], omitted: 3 };
  t.same(changeRows({ changes: [running], busy: 'reload' }, now), [
    ['last change', '1m ago: reload, in progress'],
    ['  env.PORT', '"3000" → "4000"'],
    ['', 'and 3 more'],
  ]);
});

t.test('in one line', async (t) => {
  t.equal(changeText({ ...change, omitted: 4 }), ' by alice (cli): env.PORT, env.\u001bX, 4 more');
  t.equal(changeText({ ...change, differences: [], by: { role: 'web' } }), ' by web');
});
