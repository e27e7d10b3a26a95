import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startLoad } from '../../../support/http-load.js';
import { app } from '../../../support/home.js';
import { freePort } from '../../../support/ports.js';
import { until, within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const pidsOf = (state) => state.slots.map((slot) => slot.pid);

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`a reload under load loses nothing: ${scheduling}`, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2, scheduling });
    const before = pidsOf(await primary.state());
    const { port } = primary;
    const loads = [true, false].map((keepAlive) => startLoad(t, { port, keepAlive, clients: 5 }));
    await Promise.all(loads.map((load) => load.answers(20)));
    const outcome = await primary.ask('reload', { generation: 2 });
    t.match(outcome, { ok: true, done: [0, 1], kept: [], failed: [], minReady: 2 });
    await Promise.all(loads.map((load) => load.answers(20)));
    for (const load of loads) t.match(await load.stop(), { failed: 0, failures: [] });
    const after = await primary.state();
    t.equal(after.generation, 2);
    t.same(
      pidsOf(after).filter((pid) => before.includes(pid)),
      [],
    );
    t.match(after.lastReload, { ok: true, generation: 2 });
  });
}

const broken = [
  ['throws at load', { script: app('throws-at-load.cjs') }, /exited with code 1/, /Error/],
  ['exits', { script: app('exits-1.cjs') }, /exited with code 1/],
  [
    'never listens',
    { script: app('never-listens.cjs'), listenTimeoutMs: 1500 },
    /did not listen within 1.5 s/,
  ],
  [
    'listens and dies',
    // On a busy machine its end may come late.
    { script: app('dies-after-listen.cjs'), minUptimeMs: 20_000 },
    /exited with code/,
  ],
  ['hangs at import', { script: app('hangs-at-import.mjs'), listenTimeoutMs: 1500 }, /did not/],
  ['never says ready', { waitReady: true, listenTimeoutMs: 1500 }, /did not send 'ready'/],
];
for (const [name, change, reason, lastLines = /./] of broken) {
  t.test(`a new version that ${name} leaves the old workers alone`, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
    const { spec: good } = primary;
    const before = pidsOf(await primary.state());
    const loads = Array.from({ length: 4 }, () => startLoad(t, { port: primary.port, clients: 1 }));
    await Promise.all(loads.map((load) => load.answers(1)));
    const outcome = await primary.ask('reload', { spec: { ...good, ...change }, generation: 2 });
    t.match(outcome, { ok: false, done: [], kept: [0, 1], failed: [{ reason }], minReady: 2 });
    if (lastLines.source !== '.') t.match(outcome.failed[0].lastLines.join('\n'), lastLines);
    for (const load of loads) t.match(await load.stop(), { failed: 0, failures: [] });
    const after = await primary.state();
    t.same(pidsOf(after), before);
    t.equal(after.generation, 1);
    t.match(after.lastReload, { ok: false, reason });
    if (lastLines.source === 'Error') t.match(after.lastReload.reason, /code 1: .* \(.*:\d+\)$/);
    t.same(after.retiring, []);
  });
}

t.test('what the old worker has opened on demand is not expected of the next one', async (t) => {
  const primary = await startedPrimary(t, 'opens-ports-on-demand.cjs', { listenTimeoutMs: 2000 });
  const listens = (count) => (state) => state.slots[0].listening.length === count;
  const open = async (port, count) => {
    await fetch(`http://127.0.0.1:${primary.port}/?open=${port}`);
    await primary.when(listens(count), 'the late listener');
  };
  const startedMs = performance.now();
  await until(() => performance.now() - startedMs > 1100, 'what it opens by itself');
  await open(0, 2);
  const port = await freePort();
  await open(port, 3);
  const outcome = await primary.ask('reload', { generation: 2 });
  const note = { kind: 'gone', addresses: [`*:${port}`] };
  t.match(outcome, { ok: true, done: [0], minReady: 1, notes: [{ slot: 0, note }] });
  t.match((await primary.state()).slots, [{ listening: [{ address: `*:${primary.port}` }] }]);
});

/** A program of which two never run at a time. */
const startAlone = (t, env = {}) =>
  startedPrimary(t, 'runs-alone.cjs', { env: { LOCK: path.join(t.testdir(), 'lock'), ...env } });

t.test('a worker that listens on nothing has exited before the next one starts', async (t) => {
  const primary = await startAlone(t);
  const before = pidsOf(await primary.state());
  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0], failed: [] });
  t.match(await primary.ask('reload', { generation: 3 }), { ok: true, done: [0], failed: [] });
  const { slots } = await primary.state();
  t.match(slots, [{ status: 'online', restarts: 0, lastExit: null, emptiesFirst: true }]);
  t.not(slots[0].pid, before[0]);
});

t.test('a worker that has never listened at its port is not waited for again', async (t) => {
  const change = { listenTimeoutMs: 1000, minUptimeMs: 0 };
  const primary = await startedPrimary(t, 'never-listens.cjs', change);
  const spec = { ...primary.spec, listenTimeoutMs: 3_600_000 };
  t.match(await within(primary.ask('reload', { spec }), 'the reload'), { ok: true, done: [0] });
});

t.test('if the next one fails, the old version starts again when that has exited', async (t) => {
  const primary = await startAlone(t);
  const { spec: good } = primary;
  const bad = { ...good, env: { ...good.env, BROKEN: '1' } };
  const outcome = await primary.ask('reload', { spec: bad, generation: 2 });
  t.match(outcome, { ok: false, done: [], kept: [], rolledBack: [0] });
  t.match(outcome.failed, [{ reason: /^exited with code 7/ }]);
  t.match((await primary.state()).slots, [{ status: 'online', restarts: 0, generation: 1 }]);
});

for (const [who, env] of [
  ['child', {}],
  ['thread', { THREAD: '1' }],
  ['child of a launcher', { ALONE: '1' }],
  ['child that takes longer than listen_timeout', { ALONE: '1', LATE_MS: '4000' }],
]) {
  t.test(`the port of a ${who} answers after a reload, or that fails`, async (t) => {
    const OTHER_PORT = String(await freePort());
    const BROKEN = path.join(t.testdir(), 'broken');
    const change = { env: { OTHER_PORT, BROKEN, ...env } };
    const primary = await startedPrimary(t, 'port-of-a-child.cjs', change);
    const hasty = { ...primary.spec, listenTimeoutMs: 3000 };
    const answer = async () => (await fetch(`http://127.0.0.1:${OTHER_PORT}`)).text();
    const before = await until(() => answer().catch(() => null), 'its answer');
    if (env.LATE_MS) {
      const reason = `did not listen on *:${OTHER_PORT} within 3 s`;
      const outcome = await primary.ask('reload', { generation: 2, spec: hasty });
      t.match(outcome, { ok: false, done: [], failed: [{ reason }] });
      await until(() => answer().catch(() => null), 'the old version to run again');
      return;
    }
    t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0] });
    const after = await answer();
    t.not(after, before);
    const [{ listening }] = (await primary.state()).slots;
    const by = env.THREAD ? 'a thread' : `child ${after}`;
    t.match(listening.at(-1), { address: `*:${OTHER_PORT}`, by });
    if (who !== 'child') return;
    writeFileSync(BROKEN, '');
    const reason = `did not listen on *:${OTHER_PORT} within 3 s`;
    const outcome = await primary.ask('reload', { generation: 3, spec: hasty });
    t.match(outcome, { ok: false, done: [], failed: [{ reason }] });
  });
}

for (const [who, alone] of [
  ['child', {}],
  ['child of a launcher', { ALONE: '1' }],
]) {
  t.test(`fork mode: the port of a ${who} is seen, and missed after a reload`, async (t) => {
    const OTHER_PORT = String(await freePort());
    const BROKEN = path.join(t.testdir(), 'broken');
    const env = { OTHER_PORT, BROKEN, LATE_MS: '700', ...alone };
    const change = { execMode: 'fork', interpreter: process.execPath, env };
    const primary = await startedPrimary(t, 'port-of-a-child.cjs', change);
    const isSeen = ({ slots: [{ listening }] }) =>
      listening.find(({ address }) => address === `*:${OTHER_PORT}`);
    const { by: before } = await primary.when(isSeen, 'its port');
    t.match(before, /^child \d+$/);
    const outcome = await primary.ask('reload', { generation: 2 });
    t.match(outcome, { ok: true, done: [0] });
    const isGone = ({ note }) => note.kind === 'gone';
    t.notOk(outcome.notes?.some(isGone), 'the new child is waited for');
    const { by: after } = isSeen(await primary.state());
    t.match(after, /^child \d+$/);
    t.not(after, before);
    writeFileSync(BROKEN, '');
    const spec = { ...primary.spec, listenTimeoutMs: 3000 };
    const broken = await primary.ask('reload', { generation: 3, spec });
    const note = { kind: 'gone', addresses: [`*:${OTHER_PORT}`] };
    if (alone.ALONE) t.match(broken, { ok: false, failed: [{ slot: 0 }] });
    else t.match(broken, { ok: true, done: [0], notes: [{ slot: 0, note }] });
  });
}

t.test('one that binds a UDP port is replaced beside the next one', async (t) => {
  const primary = await startedPrimary(t, 'binds-udp-late.cjs', { listenTimeoutMs: 1000 });
  const outcome = await primary.ask('reload', { generation: 2 });
  t.match(outcome, { ok: true, done: [0], minReady: 1 });
  t.equal(outcome.notes, undefined, 'nobody says that it listens on nothing');
  t.match((await primary.state()).slots, [{ emptiesFirst: false }]);
});

t.test('fork mode: after a broken version the slot runs the old one again', async (t) => {
  // Of a plain process nobody knows when it is loaded, but for what it says itself.
  const fork = { execMode: 'fork', interpreter: process.execPath, waitReady: true };
  const change = { ...fork, instances: 2, env: { PORT: '0' } };
  const primary = await startedPrimary(t, 'says-ready.cjs', change);
  const { spec: good } = primary;
  const before = pidsOf(await primary.state());
  const bad = { ...good, script: app('exits-1.cjs') };
  t.match(await primary.ask('reload', { spec: bad, generation: 2 }), {
    ok: false,
    done: [],
    kept: [1],
    rolledBack: [0],
  });
  const after = await primary.state();
  t.match(after.slots, [
    { status: 'online', generation: 1 },
    { status: 'online', generation: 1, pid: before[1] },
  ]);
});

t.test('fork mode: a program that was replaced by a broken one is not kept', async (t) => {
  const fork = { execMode: 'fork', interpreter: process.execPath, instances: 1, maxRestarts: 1 };
  const script = path.join(t.testdir(), 'app.cjs');
  copyFileSync(app('http-pid.cjs'), script);
  const primary = await startedPrimary(t, script, fork);
  writeFileSync(script, 'process.exit(1)');
  t.match(await primary.ask('reload'), { ok: false, done: [], kept: [], failed: [{ slot: 0 }] });
});

t.test('one worker alone can be reloaded', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const before = pidsOf(await primary.state());
  t.match(await primary.ask('reload', { slots: [1] }), { ok: true, done: [1] });
  const after = pidsOf(await primary.state());
  t.equal(after[0], before[0]);
  t.not(after[1], before[1]);
});

for (const [mode, change] of [
  ['cluster', {}],
  ['fork', { execMode: 'fork', interpreter: process.execPath }],
]) {
  t.test(`a reload of a program that never starts ends: ${mode}`, async (t) => {
    const primary = await startedPrimary(t, 'exits-1.cjs', { ...change, maxRestarts: 2 });
    t.match(await primary.ask('reload'), { ok: false, done: [], kept: [] });
    t.match(await primary.ask('stop'), { ok: true }, 'and other commands work again');
  });
}

t.test('a worker that dies when it is already replaced does not undo the reload', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  let killed;
  const outcome = await primary.ask('reload', { generation: 2 }, ({ kind, slot, pid }) => {
    if (kind === 'online' && slot === 0) killed ??= pid;
    // The second slot begins when the first one is done.
    if (kind === 'starting' && slot === 1 && killed) process.kill(killed, 'SIGKILL');
  });
  t.match(outcome, { ok: true, done: [0, 1] });
  t.match(await primary.state(), { generation: 2, slots: [{ restarts: 1 }, { restarts: 0 }] });
});

for (const [what, deaths, result] of [
  ['has proven itself too', 1, { ok: true, done: [0], failed: [] }],
  [
    'fails as well',
    2,
    {
      ok: false,
      done: [],
      kept: [],
      failed: [{ reason: 'was killed by SIGKILL', isOldGone: true }],
    },
  ],
]) {
  t.test(`a worker that dies once it has taken over: the next one ${what}`, async (t) => {
    const minUptimeMs = 1000;
    const primary = await startedPrimary(t, 'http-pid.cjs', { minUptimeMs });
    const online = [];
    const outcome = await primary.ask('reload', { generation: 2 }, ({ kind, pid }) => {
      if (kind === 'online') online.push({ pid, atMs: performance.now() });
      // The old one drains: the new one has taken over.
      const isNext = kind === 'online' && online.length > 1;
      if (kind !== 'draining' && !isNext) return;
      if (online.length <= deaths) process.kill(online.at(-1).pid, 'SIGKILL');
    });
    t.match(outcome, result);
    if (!outcome.ok) return;
    // Its clock begins when it listens, which is reported a moment later.
    t.ok(performance.now() - online[1].atMs > minUptimeMs / 2, 'it is waited for');
    const note = { kind: 'crashed', reason: 'was killed by SIGKILL' };
    t.match(outcome.notes, [{ slot: 0, note }]);
  });
}

t.test('a port that was used only for a moment is not required again', async (t) => {
  const primary = await startedPrimary(t, 'probes-a-port.cjs');
  await until(async () => {
    const [{ listening }] = (await primary.state()).slots;
    return listening.length === 1 && listening[0].address.endsWith(`:${primary.port}`);
  }, 'only the port that stays');
  t.match(await primary.ask('reload'), { ok: true });
});

t.test('the exit of a worker that was stopped is not the exit of its program', async (t) => {
  const primary = await startedPrimary(t, 'avoids-a-port-in-use.cjs');
  const spec = { ...primary.spec, listenTimeoutMs: 1500 };
  const { ok, failed } = await primary.ask('reload', { spec, generation: 2 });
  t.notOk(ok);
  t.match(failed, [{ reason: /^did not listen on .* but on / }]);
  t.equal(failed[0].code, null);
});
