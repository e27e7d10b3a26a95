import t from 'tap';
import { changesAfter } from '../../../src/daemon/apps/changes.js';
import { recordOf } from '../../../src/daemon/apps/record.js';
import { specWith } from '../../support/spec.js';
import { SLOT, exit } from '../../support/snapshot.js';

const nothing = { slots: [], logDroppedBytes: 0, connectionsGivenUp: 0, reloads: {}, busy: null };

const recordWith = (
  snapshot,
  queue = { current: null },
  changes = [],
  slots = [],
  lostAt = -Infinity,
) =>
  recordOf({
    name: 'web',
    changes,
    slots,
    lostAt,
    ids: {},
    generation: 1,
    stopped: false,
    queue,
    spec: { namespace: 'default', execMode: 'cluster', script: '/web.js', scheduling: 'fair' },
    link: { state: 'connected', pid: 1, trouble: null, snapshot: { ...nothing, ...snapshot } },
  });

t.test('a command is in the record before the primary reports it', async (t) => {
  const busyWith = (current, busy) => recordWith({ busy }, { current }).busy;
  t.equal(busyWith('reload', null), 'reload');
  t.equal(busyWith(null, 'reload'), 'reload', 'of an earlier daemon');
  t.equal(busyWith('recovery', 'reload'), 'reload');
  t.equal(busyWith('recovery', null), undefined, 'which nobody has asked for');
  t.equal(busyWith('run', 'start'), undefined, 'of a job that is no command');
});

t.test('the latest change, and the one that may be the cause', async (t) => {
  const [stop, reload, failed] = ['stop', 'reload', 'reload'].map((action, at) => {
    return { at, action, isApplied: at < 2, differences: [] };
  });
  const changesOf = (...changes) => recordWith({}, undefined, changes).changes;
  t.equal(changesOf(), undefined);
  t.same(changesOf(stop, reload, { ...reload }), [stop, reload]);
  t.same(changesOf(failed, stop, reload), [failed, reload], 'what failed is no cause');
});

t.test('a worker that is errored has the time of its exit', async (t) => {
  const lastExit = { at: 17, cause: 'bye' };
  const given = { pid: null, lastExit, earlierExits: [], blockedSinceMs: null, reason: exit(1) };
  const workerWith = (status) => {
    const slots = [{ ...SLOT, ...given, status }];
    return recordWith({ slots }, undefined, [], [0]).workers[0];
  };
  t.match(workerWith('errored'), { cause: 'bye', exitedAt: 17 });
  t.match(workerWith('backoff'), { cause: 'bye', exitedAt: undefined });
  t.match(workerWith('online'), { cause: undefined, exitedAt: undefined });
});

t.test('the note of an app names lost log output and connections', async (t) => {
  const noteOf = (snapshot) => recordWith(snapshot).note;
  t.equal(noteOf({ logDroppedBytes: 0, logDropReason: null }), undefined);
  const lost = { logDroppedBytes: 1_258_291, logDropReason: 'disk full' };
  t.equal(noteOf(lost), 'log: 1.2M lost (disk full)');
  const closed =
    'closed unserved while no worker was left (hold_timeout, or more than 1000 at once)';
  t.equal(noteOf({ connectionsGivenUp: 1 }), `1 connection was ${closed}`);
  const both = { ...lost, connectionsGivenUp: 7 };
  t.equal(noteOf(both), `log: 1.2M lost (disk full); 7 connections were ${closed}`);
  t.match(recordWith(both), { logDroppedBytes: 1_258_291, connectionsGivenUp: 7 });
  const lostNow = recordWith({}, undefined, [], [], performance.now() - 1);
  t.match(lostNow.note, /^its primary was killed or crashed at \d\d:\d\d:\d\d/);
});

const MASK = '********';
const spec = (overrides = {}) =>
  specWith({ env: { A: '1' }, shellEnv: { REGION: 'a' }, ...overrides });
const state = (overrides, more = {}) => ({
  spec: spec(overrides),
  generation: 1,
  rollout: null,
  changes: [],
  ...more,
});
const LONG = 'x'.repeat(1000);
const SHORTENED = `${'x'.repeat(200)}…`;
const command = { action: 'reload', by: { role: 'cli', user: 'alice' } };
const after = (before, next) => changesAfter(before, next, command, 1000);

/** What the next state is, and the differences that are remembered; null: nothing is. */
const rows = [
  ['nothing changes', state(), null],
  ['scaling', state({ instances: 4 }), [{ key: 'instances', from: 1, to: 4 }]],
  ['a stop', state({}, { stopped: true }), []],
  ['the same settings, new workers', state({}, { generation: 2 }), []],
  ['a setting', state({ killTimeoutMs: 9000 }), [{ key: 'kill_timeout', from: '5s', to: '9s' }]],
  [
    'variables of file and shell, secret ones without their values',
    state({ env: { A: '2', API_TOKEN: 'x' }, shellEnv: {} }),
    [
      { key: 'env.A', from: '1', to: '2' },
      { key: 'env.REGION', from: 'a', to: null },
      { key: 'env.API_TOKEN', from: null, to: MASK },
    ],
  ],
  ['hidden by the file', state({ shellEnv: { REGION: 'a', A: '7' } }, { generation: 2 }), []],
  ['of a shell', state({ shellEnv: { REGION: 'a', PS1: '$', LINES: '9' } }, { generation: 2 }), []],
  ['a secret', state({ args: ['--pass', 'x'] }), [{ key: 'args', from: [], to: ['--pass', MASK] }]],
  ['a long value', state({ env: { A: LONG } }), [{ key: 'env.A', from: '1', to: SHORTENED }]],
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

t.test('a stop changes no setting, whatever is still rolled out', async (t) => {
  const rollout = { spec: spec({ env: { A: '2' } }), generation: 2 };
  const [before, stopped] = [false, true].map((stop) => state({}, { rollout, stopped: stop }));
  t.strictSame(after(before, stopped)[0].differences, []);
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
  t.same(generations, [8, 7, 6, 5, 4]);
  const [{ differences, omitted }] = after(state(), state({ env }));
  t.same([differences.length, omitted], [20, 31]);
});
