/** Programs that listen late, below the worker, or elsewhere than they should. */
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { untilStarted } from '../../../../src/primary/pool/outcome.js';
import { NODE } from '../../../support/home.js';
import { freePort } from '../../../support/ports.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

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
      const spec = await specOf(`listens-late-${loads}`, {
        ...LATE,
        execMode,
        interpreter: NODE,
        env,
      });
      const primary = await startPrimary(t, spec);
      t.match(await primary.ask('start'), { ok: true, done: [0], notes: undefined });
      const { slots, listeningRecord } = await primary.state();
      t.equal(slots[0].listening.length, 1);
      t.match(listeningRecord, { addresses: [`*:${port}`] });
    });
  }
}

t.test('a program without a sign is online as soon as it has stayed up', async (t) => {
  for (const execMode of ['cluster', 'fork']) {
    const spec = await specOf('never-listens.cjs', {
      ...LATE,
      execMode,
      interpreter: NODE,
      env: { PORT: '' },
    });
    const primary = await startPrimary(t, spec);
    const { ok, notes, durationMs } = await primary.ask('start');
    t.match({ ok, notes }, { ok: true, notes: [{ slot: 0, note: NOTHING }] });
    t.ok(durationMs < LATE.listenTimeoutMs);
  }
});

t.test('a program with a PORT of its own is waited for, and for listen_timeout only', async (t) => {
  const spec = await specOf('listens-late.cjs', { ...LATE, env: { LATE_MS: '1200' } });
  const primary = await startPrimary(t, spec);
  t.match(await primary.ask('start'), { ok: true, notes: undefined });
  t.equal((await primary.state()).slots[0].listening.length, 1);

  const silent = await specOf('never-listens.cjs', { ...LATE, listenTimeoutMs: 1000 });
  const other = await startPrimary(t, silent);
  t.match(await other.ask('start'), { ok: true, notes: [{ slot: 0, note: NOTHING }] });
});

const isLinux = process.platform === 'linux';
t.test('fork mode: a port of a process below the worker', { skip: !isLinux }, async (t) => {
  const env = { NODE: process.execPath, LATE_MS: '1200' };
  const change = { ...LATE, execMode: 'fork', interpreter: '/bin/sh', env };
  const spec = await specOf('starts-a-late-server.sh', change);
  const primary = await startPrimary(t, spec);
  t.match(await primary.ask('start'), { ok: true, done: [0] });
  const { slots } = await primary.state();
  t.match(slots[0].listening, [{ address: `*:${spec.env.PORT}`, protocol: null }]);

  const other = await startPrimary(t, { ...spec, env: { ...spec.env, LATE_MS: '1' } });
  const { ok, failed } = await other.ask('start');
  t.notOk(ok);
  const fault = { code: 'EADDRINUSE', address: null, port: Number(spec.env.PORT) };
  t.match(failed, [{ fault, reason: /could not listen on port \d+/ }]);
});

t.test('a worker that listens on another port than its own is named', async (t) => {
  const spec = await specOf('evades-its-sibling.cjs', { instances: 2 });
  const primary = await startPrimary(t, spec);
  const { ok, notes } = await primary.ask('start');
  t.ok(ok);
  t.equal(notes.length, 1);
  t.equal(notes[0].slot, 1);
  t.match(notes[0].note, new RegExp(`^listens on port \\d+ instead of ${spec.env.PORT}$`));
});

for (const isForked of [true, false]) {
  const which = isForked ? 'has waited for a CPU since before the command' : 'was not forked yet';
  t.test(`one that ${which} is not late`, async (t) => {
    const spec = { listenTimeoutMs: 1, minUptimeMs: 0, waitReady: false, health: null, env: {} };
    const launch = { spec };
    const slot = { number: 0, hasFailed: false, blocked: null, failedAtMs: null, launch };
    const pool = new EventEmitter();
    const readiness = { late: null, sign: null, clockMs: 0 };
    const worker = { slot: 0, onlineAtMs: null, startedMs: 0, readiness };
    const output = { linesSoFar: [] };
    Object.assign(worker, { launch, listening: new Map(), expected: 'none', output });
    const desired = () => (worker.onlineAtMs === null ? null : worker);
    Object.assign(pool, {
      workers: new Map([[0, worker]]),
      readyCount: 0,
      workersOf() {
        pool.emit('looked');
        return isForked ? [worker] : [];
      },
      desiredWorkerOf: desired,
      hasDesiredWorker: () => desired() !== null,
      changed: () => pool.emit('change'),
      async until(condition) {
        while (!condition()) await once(pool, 'change');
      },
    });
    const outcome = untilStarted({ pool, launch, features: { startMs: () => 0 } }, [slot]);
    // When the time of the command is over, and what follows from that is done.
    await Promise.race([once(pool, 'looked'), outcome]);
    await setImmediate();
    worker.onlineAtMs = performance.now();
    pool.changed();
    t.match(await outcome, { ok: true, done: [0], failed: [] });
  });
}
