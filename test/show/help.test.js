import t from 'tap';
import { helpOf, reasonsOf } from '../../src/show/help.js';

const NOW = 1_700_000_000_000;
const on = { slot: 0, status: 'online' };
const failing = { slot: 1, status: 'backoff', reason: 'exited with code 1' };
const blocked = { slot: 2, status: 'unresponsive' };
const app = (/** @type {object[]} */ ...workers) => ({ name: 'api', workers });

const rows = [
  [app(on), []],
  [app(on, failing), ['logs api']],
  [app({ ...failing, status: 'errored' }), ['logs api', 'start api']],
  [app({ ...failing, reason: 'exited with code 0' }), ['restart api --no-autorestart', 'logs api']],
  [
    app({ ...failing, reason: 'could not listen on port 3000: in use by web' }),
    ['stop web', 'reload api --set-env PORT=<port>'],
  ],
  [
    app({ ...failing, reason: 'could not listen on port 3000: in use by pid 7 (node a.cjs)' }),
    ['reload api --set-env PORT=<port>'],
  ],
  [
    app({
      ...failing,
      status: 'errored',
      reason: 'could not listen on 127.0.0.1:80: in use by another process',
    }),
    ['reload api --set-env PORT=<port>', 'start api'],
  ],
  [app(on, blocked), ['restart api:2', 'why api']],
  [
    { ...app(blocked), spec: { hangTimeoutMs: null } },
    ['restart api:2', 'why api', 'reload api --hang-timeout 30s'],
  ],
  [app({ ...on, degraded: 'waits' }), ['why api']],
  [app({ ...on, recentCrashes: 2 }, failing), ['logs api']],
];
for (const [shown, commands] of rows) {
  t.test(`what helps: ${commands.join(', ')}`, async (t) => {
    t.same(
      helpOf(shown, NOW).map(([command]) => command),
      commands,
    );
  });
}

t.test('it starts only once the port is free', async (t) => {
  const reason = 'could not listen on port 3000: in use by pid 7 (node a.cjs)';
  const help = helpOf(app({ ...failing, status: 'errored', reason }), NOW);
  t.same(help.at(-1), [
    'start api',
    'once pid 7 (node a.cjs) is stopped or moved: it has port 3000',
  ]);
});

t.test('a reason that is too long for a table, once for all that have it', async (t) => {
  const reason = 'could not listen on port 3000: in use by pid 7 (node other.cjs)';
  const one = { ...failing, reason };
  t.same(reasonsOf(app(one, { ...one, slot: 2 }), NOW), [`api:1, api:2 ${reason}`]);
});
