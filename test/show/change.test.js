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
    ['before that', '1m ago: reload by watch, not applied, settings as before'],
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
  const url = (/** @type {string} */ host) => `http://${'a'.repeat(50)}.${host}`;
  const [port, unknown] = change.differences;
  for (const [differences, expected, omitted = 0] of [
    [[port, unknown], 'env.PORT "3000" → "4000", env.\u001bX, 4 more', 4],
    [[{ key: 'env.NEW', from: null, to: '1' }], 'env.NEW (none) → "1"'],
    [
      [{ key: 'env.URL', from: url('a'), to: url('ab') }],
      `env.URL …${`"${url('a')}"`.slice(-40)} → …${`"${url('ab')}"`.slice(-40)}`,
    ],
    [Array(6).fill({ key: 'a' }), 'a, a, a, a, 2 more'],
  ]) {
    t.equal(changeText({ ...change, differences, omitted }), ` by alice (cli): ${expected}`);
  }
  t.equal(changeText({ ...change, differences: [], by: { role: 'web' } }), ' by web');
});
