/** What a start says of programs that listen late, below the worker, elsewhere than they should, or not themselves. */
import net from 'node:net';
import t from 'tap';
import { NODE } from '../../../support/home.js';
import { freePort } from '../../../support/ports.js';
import { eventOf } from '../../../support/until.js';
import { startPrimary, startedPrimary } from '../../primary-under-test.js';

// Each waits for what comes late: they do so together.
t.jobs = 4;

const LATE = { minUptimeMs: 500, listenTimeoutMs: 20_000 };
const NOTHING = { kind: 'silent' };

for (const execMode of ['cluster', 'fork']) {
  // With what it has made, it is waited for longer than without; and longer than the agent has to answer.
  for (const [program, LATE_MS] of [
    ['listens-late.cjs', '1200'],
    ['listens-late-after-making.cjs', '3000'],
    ['listens-late-after-blocking.mjs', '3000'],
  ]) {
    t.test(`${execMode}: ${program} is online when it listens`, async (t) => {
      const port = await freePort();
      const env = { PORT: '', OWN_PORT: String(port), LATE_MS };
      const change = { ...LATE, execMode, interpreter: NODE, env };
      const primary = await startedPrimary(t, program, change);
      t.match(primary.outcome, { ok: true, done: [0], notes: undefined });
      const { slots, listeningRecord } = await primary.state();
      t.equal(slots[0].listening.length, 1);
      t.match(listeningRecord, { addresses: [`*:${port}`] });
    });
  }
}

t.test('a program without a server of its own is not waited for that long', async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await eventOf(server, 'listening');
  const env = { PORT: '', PORT_OF_SERVER: String(server.address().port) };
  for (const execMode of ['cluster', 'fork']) {
    for (const script of ['never-listens.cjs', 'client.cjs']) {
      const change = { ...LATE, execMode, interpreter: NODE, env };
      const primary = await startedPrimary(t, script, change);
      const { ok, notes, durationMs } = primary.outcome;
      t.match({ ok, notes }, { ok: true, notes: [{ slot: 0, note: NOTHING }] });
      t.ok(durationMs < LATE.listenTimeoutMs);
    }
  }
});

t.test('a program with a PORT of its own is waited for, and for listen_timeout only', async (t) => {
  const change = { ...LATE, env: { LATE_MS: '1200' } };
  const primary = await startedPrimary(t, 'listens-late.cjs', change);
  t.match(primary.outcome, { ok: true, notes: undefined });
  t.equal((await primary.slot()).listening.length, 1);

  const other = await startedPrimary(t, 'never-listens.cjs', { ...LATE, listenTimeoutMs: 1000 });
  t.match(other.outcome, { ok: true, notes: [{ slot: 0, note: NOTHING }] });
});

const isLinux = process.platform === 'linux';

t.test('fork mode: a port of a process below the worker', { skip: !isLinux }, async (t) => {
  const env = { NODE: process.execPath, LATE_MS: '1200' };
  const change = { ...LATE, execMode: 'fork', interpreter: '/bin/sh', env };
  const primary = await startedPrimary(t, 'starts-a-late-server.sh', change);
  const { spec } = primary;
  t.match(primary.outcome, { ok: true, done: [0] });
  const { slots } = await primary.state();
  t.match(slots[0].listening, [{ address: `*:${spec.env.PORT}`, protocol: null }]);

  const other = await startPrimary(t, { ...spec, env: { ...spec.env, LATE_MS: '1' } });
  const { ok, failed } = await other.ask('start');
  t.notOk(ok);
  t.match(failed[0].lastLines.join('\n'), /EADDRINUSE.*:\d+/, 'its own words');
});

t.test('a worker that listens on another port than its own is named', async (t) => {
  const primary = await startedPrimary(t, 'evades-its-sibling.cjs', { instances: 2 });
  const { spec } = primary;
  const { ok, notes } = primary.outcome;
  t.ok(ok);
  t.equal(notes.length, 1);
  t.equal(notes[0].slot, 1);
  t.match(notes[0].note, { kind: 'elsewhere', ports: [Number], asked: Number(spec.env.PORT) });
});
