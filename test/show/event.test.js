import t from 'tap';
import { paint } from '../../src/show/terminal/palette.js';
import { plain } from '../../src/show/paint.js';
import { eventText, renderEvent, renderProgress, parseEventTypes } from '../../src/show/event.js';

const killed = { workers: 1, launchers: 0, afterMs: 5000, signal: 'SIGTERM' };
const rows = [
  [{ app: 'api', kind: 'online', slot: 1, pid: 4242 }, 'api:1 online pid 4242'],
  [
    { app: 'api', kind: 'stopped', slot: 0, reason: 'ended with it: sh x (pid 7)', killed },
    'api:0 stopped killed after kill_timeout (5s): it did not exit on SIGTERM; ended with it: sh x (pid 7)',
  ],
  [{ app: 'api', kind: 'failed', slot: 0, pid: 7, reason: 'no\u0007' }, 'api:0 failed no\\x07'],
  [{ app: 'job', kind: 'exited', slot: 0, reason: 'exited with 0' }, 'job:0 exited with 0'],
  [{ app: 'api', kind: 'starting', slot: 0, pid: 7, reason: 'x' }, 'api:0 starting pid 7, x'],
];

for (const [event, line] of rows) t.equal(renderProgress(event, plain), line, line);

t.test('who changed what, at the end of a command', async (t) => {
  const differences = [{ key: 'env.PORT', from: '1', to: '2' }];
  const change = { by: { role: 'cli', user: 'alice' }, differences, omitted: 0 };
  const event = {
    type: 'reload.ended',
    app: 'api',
    ok: true,
    durationMs: 2000,
    failed: [],
    change,
  };
  t.equal(eventText(event), 'api reload ended: done in 2.0s by alice (cli): env.PORT "1" → "2"');
  const failed = { ...event, ok: false, failed: [{ reason: 'exited' }] };
  t.equal(eventText(failed), 'api reload failed: exited; by alice (cli): env.PORT "1" → "2"');
});

t.test('an exit, with its cause, and how many there were before', async (t) => {
  const now = new Date(2026, 2, 1, 22, 10).getTime();
  const since = new Date(2026, 2, 1, 21, 0).getTime();
  const exited = { type: 'worker.exited', at: now, app: 'api', slot: 1, pid: 7 };
  const rows = [
    [{ reason: 'exited with code 1', cause: 'no database' }, 'exited with code 1: no database'],
    [{ reason: 'exited with code 1' }, 'exited with code 1'],
    [{ reason: 'was killed by SIGKILL' }, 'exited: was killed by SIGKILL'],
  ];
  for (const [event, text] of rows) t.equal(eventText({ ...exited, ...event }), `api:1 ${text}`);
  const line = renderEvent({ ...exited, ...rows[1][0], earlier: 40, since }, paint({}), now);
  t.same(line, ['22:10:00', 'api:1 exited with code 1 (40 earlier, since 21:00:00)']);
});

t.test('the types that a user names', async (t) => {
  const all = [
    { type: 'reload.begun' },
    { type: 'reload.ended', ok: true, failed: [] },
    { type: 'worker.exited' },
    { type: 'worker.online' },
  ];
  const rows = [
    ['commands', [1]],
    ['problems', [2]],
    ['reload.*', [0, 1]],
    ['*.ended,worker.online', [1, 3]],
  ];
  for (const [text, expected] of rows) {
    const named = all.filter(parseEventTypes(text)).map((event) => all.indexOf(event));
    t.same(named, expected, text);
  }
  for (const text of ['', 'exits', 'a.b.c', 'worker.']) t.throws(() => parseEventTypes(text), text);
  t.ok(parseEventTypes('commands')({ type: 'missed', at: 1, count: 2 }));
});
