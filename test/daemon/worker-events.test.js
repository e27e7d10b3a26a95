import t from 'tap';
import { NEW_PRIMARY, workerEvents } from '../../src/daemon/events.js';

const NOW = 1_000_000;
const state = (more = {}) => ({
  slot: 0,
  status: 'online',
  pid: 7,
  generation: 1,
  restarts: 0,
  retryAtMs: null,
  reason: null,
  blockedSinceMs: null,
  lastExit: null,
  earlierExits: [],
  ...more,
});
const exit = (at, more = {}) => ({
  code: 1,
  signal: null,
  reason: 'exited with code 1',
  uptimeMs: 1500,
  at,
  ...more,
});
const snapshot = (slots, busy = null) => ({ generation: 1, busy, slots, lastReplacement: null });
const quick = exit(5);

for (const { name, before, after, busy = null, happens } of [
  { name: 'nothing', before: state(), after: state(), happens: [] },
  {
    name: 'an end with a wait before the next start',
    before: state(),
    after: state({ status: 'backoff', pid: null, retryAtMs: NOW + 200, lastExit: exit(5) }),
    happens: [
      {
        level: 'warn',
        event: 'worker.ended',
        fields: { slot: 0, code: 1, signal: null, after: '1s', then: 'backoff', inMs: 200 },
      },
    ],
  },
  {
    name: 'a replacement that failed, while the old worker serves on',
    before: state(),
    after: state({ lastExit: exit(5) }),
    happens: [
      { level: 'warn', event: 'worker.ended', fields: { code: 1, then: 'the old worker stays' } },
    ],
  },
  {
    name: 'an end that was told already',
    before: state({ status: 'backoff', lastExit: quick }),
    after: state({ status: 'starting', lastExit: { ...quick, lastLines: ['came later'] } }),
    happens: [],
  },
  {
    name: 'two ends at once, the second of which was one too many',
    before: state({ lastExit: quick }),
    after: state({
      status: 'errored',
      pid: null,
      reason: 'died 12 times in 60 s',
      lastExit: exit(9, { signal: 'SIGKILL' }),
      earlierExits: [exit(7), quick, exit(1)],
    }),
    happens: [
      { level: 'warn', event: 'worker.ended', fields: { code: 1, then: 'started again' } },
      {
        level: 'error',
        event: 'worker.ended',
        fields: { signal: 'SIGKILL', then: 'errored', why: 'died 12 times in 60 s' },
      },
    ],
  },
  {
    name: 'an end that the settings allow',
    before: state({}),
    after: state({
      status: 'exited',
      pid: null,
      reason: 'autorestart is off',
      lastExit: exit(9, { code: 0, reason: 'exited with code 0' }),
    }),
    happens: [{ level: 'info', event: 'worker.ended', fields: { code: 0, then: 'exited' } }],
  },
  {
    name: 'one that came back by itself',
    before: state({ status: 'starting', pid: 7 }),
    after: state({ pid: 8, restarts: 1 }),
    happens: [{ level: 'info', event: 'worker.online', fields: { slot: 0, pid: 8, restarts: 1 } }],
  },
  {
    name: 'one that a command started: the command tells it',
    before: state({ status: 'starting' }),
    after: state({ pid: 8 }),
    busy: 'reload',
    happens: [],
  },
  {
    name: 'a blocked event loop',
    before: state(),
    after: state({ status: 'unresponsive', blockedSinceMs: NOW - 5000 }),
    happens: [
      { level: 'warn', event: 'worker.unresponsive', fields: { pid: 7, blockedFor: '5s' } },
    ],
  },
  {
    name: 'and one that turns again',
    before: state({ status: 'unresponsive', blockedSinceMs: 1 }),
    after: state(),
    happens: [{ level: 'info', event: 'worker.responsive', fields: { pid: 7 } }],
  },
]) {
  t.test(name, async (t) => {
    const events = workerEvents(snapshot([before], busy), snapshot([after]), NOW);
    t.equal(events.length, happens.length);
    t.match(events, happens);
  });
}

t.test('the first snapshot of a primary', async (t) => {
  const exited = snapshot([
    state({ status: 'exited', pid: null, lastExit: quick }),
    state({ slot: 1 }),
  ]);
  t.same(workerEvents(null, exited, NOW), [], 'that an earlier daemon started: nothing is new');
  t.match(
    workerEvents(NEW_PRIMARY, exited, NOW),
    [{ event: 'worker.ended', fields: { slot: 0, then: 'exited' } }],
    'that this daemon has launched: what happened before it was connected is',
  );
});

t.test('a new slot', async (t) => {
  t.match(workerEvents(snapshot([]), snapshot([state({ slot: 3 })]), NOW), [
    { event: 'worker.online', fields: { slot: 3 } },
  ]);
});

t.test('a worker that is replaced without a command, once', async (t) => {
  const before = snapshot([state({})]);
  const after = { ...before, lastReplacement: { slot: 0, at: 5, reason: 'it was old' } };
  const fields = { slot: 0, reason: 'it was old' };
  t.same(workerEvents(before, after, NOW), [{ level: 'info', event: 'worker.replacing', fields }]);
  t.same(workerEvents(after, { ...after, lastReplacement: { ...after.lastReplacement } }, NOW), []);
});
