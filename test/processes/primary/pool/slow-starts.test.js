/** Programs that listen late, below the worker, or elsewhere than they should. */
import t from 'tap';
import { NODE } from '../../../support/home.js';
import { freePort } from '../../../support/ports.js';
import { startPrimary, startedPrimary } from '../../primary-under-test.js';

const LATE = { minUptimeMs: 500, listenTimeoutMs: 20_000 };
const NOTHING = 'runs, but listens on nothing yet';

const CAN_TELL_REQUIRE = Number(process.versions.node.split('.')[0]) >= 22;
for (const execMode of ['cluster', 'fork']) {
  for (const loads of ['on-own-port.cjs', 'with-net.cjs', 'with-net.mjs', 'after-blocking.mjs']) {
    const skip = loads === 'with-net.cjs' && !CAN_TELL_REQUIRE;
    t.test(`${execMode}: listens-late-${loads} is online when it listens`, { skip }, async (t) => {
      const port = await freePort();
      // Longer than the agent has to answer what it has loaded.
      const LATE_MS = loads === 'after-blocking.mjs' ? '3000' : '1200';
      const env = { PORT: '', OWN_PORT: String(port), LATE_MS };
      const change = { ...LATE, execMode, interpreter: NODE, env };
      const primary = await startedPrimary(t, `listens-late-${loads}`, change);
      t.match(primary.outcome, { ok: true, done: [0], notes: undefined });
      const { slots, listeningRecord } = await primary.state();
      t.equal(slots[0].listening.length, 1);
      t.match(listeningRecord, { addresses: [`*:${port}`] });
    });
  }
}

t.test('a program without a sign is online as soon as it has stayed up', async (t) => {
  for (const execMode of ['cluster', 'fork']) {
    const change = { ...LATE, execMode, interpreter: NODE, env: { PORT: '' } };
    const primary = await startedPrimary(t, 'never-listens.cjs', change);
    const { ok, notes, durationMs } = primary.outcome;
    t.match({ ok, notes }, { ok: true, notes: [{ slot: 0, note: NOTHING }] });
    t.ok(durationMs < LATE.listenTimeoutMs);
  }
});

t.test('a program with a PORT of its own is waited for, and for listen_timeout only', async (t) => {
  const change = { ...LATE, env: { LATE_MS: '1200' } };
  const primary = await startedPrimary(t, 'listens-late.cjs', change);
  t.match(primary.outcome, { ok: true, notes: undefined });
  t.equal((await primary.state()).slots[0].listening.length, 1);

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
  const fault = { code: 'EADDRINUSE', address: null, port: Number(spec.env.PORT) };
  t.match(failed, [{ fault, reason: /could not listen on port \d+/ }]);
});

t.test('a worker that listens on another port than its own is named', async (t) => {
  const primary = await startedPrimary(t, 'evades-its-sibling.cjs', { instances: 2 });
  const { spec } = primary;
  const { ok, notes } = primary.outcome;
  t.ok(ok);
  t.equal(notes.length, 1);
  t.equal(notes[0].slot, 1);
  t.match(notes[0].note, new RegExp(`^listens on port \\d+ instead of ${spec.env.PORT}$`));
});
