import t from 'tap';
import { changesAfter } from '../../../src/daemon/apps/changes.js';
import { specWith } from '../../support/spec.js';

const MASK = '********';
const spec = (overrides = {}) =>
  specWith({ env: { A: '1' }, shellEnv: { HOME: '/a' }, ...overrides });
const state = (overrides, more = {}) => ({
  spec: spec(overrides),
  generation: 1,
  rollout: null,
  changes: [],
  ...more,
});
const LONG = 'x'.repeat(1000);
const command = { action: 'reload', by: { role: 'cli', user: 'alice' } };
const after = (before, next) => changesAfter(before, next, command, 1000);

/** What the next state is, and the differences that are remembered; null: nothing is. */
const rows = [
  ['nothing changes', state(), null],
  ['scaling', state({ instances: 4 }), null],
  ['the same settings, new workers', state({}, { generation: 2 }), []],
  ['a setting', state({ killTimeoutMs: 9000 }), [{ key: 'kill_timeout', from: '5s', to: '9s' }]],
  [
    'variables of file and shell, secret ones without their values',
    state({ env: { A: '2', API_TOKEN: 'x' }, shellEnv: {} }),
    [
      { key: 'env.A', from: '1', to: '2' },
      { key: 'env.HOME', from: '/a', to: null },
      { key: 'env.API_TOKEN', from: null, to: MASK },
    ],
  ],
  ['hidden by the file', state({ shellEnv: { HOME: '/a', A: '7' } }, { generation: 2 }), []],
  ['of a shell', state({ shellEnv: { HOME: '/a', SHLVL: '2' } }, { generation: 2 }), []],
  ['a secret', state({ args: ['--pass', 'x'] }), [{ key: 'args', from: [], to: ['--pass', MASK] }]],
  [
    'a long value',
    state({ env: { A: LONG } }),
    [{ key: 'env.A', from: '1', to: `${LONG.slice(0, 200)}…` }],
  ],
];

for (const [name, next, differences] of rows) {
  t.test(name, async (t) => {
    const [change] = after(state(), next);
    if (differences === null) return t.equal(change, undefined);
    const { generation } = next;
    const known = { ...command, at: 1000, generation, isApplied: true, omitted: 0 };
    t.strictSame(change, { ...known, differences });
  });
}

t.test('what is rolled out is not applied yet', async (t) => {
  const rollout = { spec: spec({ env: { A: '2' } }), generation: 2 };
  const [change] = after(state(), state({}, { rollout, generation: 2 }));
  t.match(change, { isApplied: false, differences: [{ key: 'env.A' }] });
});

t.test('many differences and many commands are bounded', async (t) => {
  const env = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`V${index}`, '1']));
  let current = state();
  for (let generation = 2; generation < 9; generation += 1) {
    const next = state({ env: { ...env, A: String(generation) } }, { generation });
    current = { ...next, changes: after(current, next) };
    current.changes.forEach((change) => t.ok(change.differences.length <= 20));
  }
  const generations = current.changes.map(({ generation }) => generation);
  t.match(generations, [8, 7, 6]);
  const [{ differences, omitted }] = after(state(), state({ env }));
  t.same([differences.length, omitted], [20, 31]);
});
