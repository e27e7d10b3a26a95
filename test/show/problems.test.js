import t from 'tap';
import { recentChange } from '../../src/show/change.js';
import { exited, inUse } from '../support/snapshot.js';
import { helpOf, reasonsOf } from '../../src/show/help.js';
import { worstFirst } from '../../src/show/rows.js';

const NOW = 1_700_000_000_000;
const on = { status: 'online' };
const app = (name, status, workers) => ({ name, status, workers });
const crashed = { slot: 1, status: 'backoff', ...exited(1), cause: 'no database' };
const hung = { slot: 2, status: 'unresponsive' };

t.test('the change that may be the cause', async (t) => {
  const change = {
    at: NOW - 16_000,
    action: 'reload',
    by: { user: 'alice', role: 'cli' },
    isApplied: true,
    differences: [{ key: 'env.DB', from: 'a', to: 'b' }],
    omitted: 0,
  };
  const text = 'reload 16s ago by alice (cli): env.DB "a" → "b"';
  const rows = [
    [[change], text],
    [[{ ...change, isApplied: false }, change], text],
    [[{ ...change, differences: [] }], 'reload 16s ago by alice (cli)'],
    [[{ ...change, at: NOW - 4e6 }], null],
    [[{ ...change, isApplied: false }], null],
    [[{ ...change, action: 'start', differences: [] }], null],
  ];
  for (const [changes, expected] of rows) t.equal(recentChange({ changes }, NOW), expected);
});

t.test('the broken apps first, then those that serve badly, each group in its order', async (t) => {
  const well = (name) => app(name, 'online', [on]);
  const apps = [
    well('a'),
    app('b', 'starting', [{ slot: 0, status: 'starting' }]),
    app('c', 'backoff', [crashed]),
    well('d'),
    app('e', 'online', [hung]),
    app('f', 'starting', [{ slot: 0, status: 'starting', recentCrashes: 1 }]),
  ];
  const namesOf = (shown) => worstFirst(shown, NOW).map(({ name }) => name);
  t.equal(namesOf(apps).join(''), 'cefbad', 'in each phase of a crash loop');
  const busy = apps.map((each) => ({ ...each, busy: 'reload' }));
  t.equal(namesOf(busy).join(''), 'cefabd', 'a command is no trouble');
});

const healthy = { slot: 0, ...on };
const errored = { ...crashed, status: 'errored' };
const appOf = (...workers) => ({ name: 'api', mode: 'cluster', workers });
const [LOGS, PORT] = ['logs api', 'reload api --set-env PORT=<port>'];

const helpRows = [
  [appOf(healthy), []],
  [appOf(healthy, crashed), [LOGS]],
  [appOf({ ...errored, cause: undefined }), ['start api']],
  [appOf({ ...crashed, ...exited(0) }), ['restart api --no-autorestart', LOGS]],
  [appOf({ ...crashed, ...inUse({ holder: 'web', isApp: true }) }), ['stop web', PORT]],
  [appOf({ ...errored, ...inUse({ port: 80, address: '::' }) }), [PORT, 'start api']],
  [
    { ...appOf(hung), spec: { hangTimeoutMs: null } },
    ['restart api:2', 'why api', 'reload api --hang-timeout 30s'],
  ],
  [appOf({ ...healthy, degraded: 'waits' }), ['why api']],
  [appOf({ ...healthy, degraded: 'replacement' }), [LOGS, 'reload api --exec-mode fork']],
  [appOf({ ...healthy, degraded: 'replacement' }, crashed), [LOGS, 'restart api']],
];
for (const [shown, commands] of helpRows) {
  const found = helpOf(shown, NOW).map(([command]) => command);
  t.same(found, commands, `what helps: ${commands.join(', ')}`);
}

t.test('it starts only once the port is free', async (t) => {
  const help = helpOf(appOf({ ...errored, ...inUse({ holder: 'pid 7 (node a.cjs)' }) }), NOW);
  const why = 'start it again, once port 3000 is free: pid 7 (node a.cjs) has it';
  t.same(help.at(-1), ['start api', why]);
});

t.test('a reason that is too long for a table, once for all that have it', async (t) => {
  const { reason, ending } = inUse({ holder: 'pid 7 (node other.cjs)' });
  const one = { ...crashed, reason, ending };
  t.same(reasonsOf(appOf(one, { ...one, slot: 2 }), NOW), [`api:1, api:2 ${reason}`]);
});
