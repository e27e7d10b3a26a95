/** Reloads: what the next workers must do, and what becomes of those that were replaced when it fails: kept, or rolled back. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { copyApp } from '../../../support/files.js';
import { app } from '../../../support/home.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';
import { until, within } from '../../../support/until.js';
import { FORK, specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

t.test('a new version that fails leaves the old workers alone', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const { spec: good, port } = primary;
  const before = await primary.pids();
  const loads = Array.from({ length: 4 }, () => startLoad(t, { port, clients: 1 }));
  await Promise.all(loads.map((load) => load.answers(1)));
  const listenTimeoutMs = 1500;
  for (const [name, change, reason] of [
    ['throws at load', { script: app('throws-at-load.cjs') }, /exited with code 1/],
    ['never listens', { script: app('never-listens.cjs') }, /did not listen within 1.5 s/],
    ['hangs at import', { script: app('hangs-at-import.mjs') }, /did not/],
    ['never says ready', { waitReady: true }, /process\.send\('ready'\)/],
  ]) {
    const spec = { ...good, listenTimeoutMs, ...change };
    const outcome = await primary.ask('reload', { spec, generation: 2 });
    const none = { ok: false, done: [], kept: [0, 1], failed: [{ reason }], minReady: 2 };
    t.match(outcome, none, name);
    const after = await primary.state();
    t.match(after, { generation: 1, lastReload: { ok: false, reason } }, name);
    t.same([await primary.pids(), after.retiring], [before, []], name);
    if (!change.script?.endsWith('throws-at-load.cjs')) continue;
    t.match(outcome.failed[0].lastLines.join('\n'), /Error/);
    t.match(after.lastReload, { reason: 'exited with code 1', cause: /.* \(.*:\d+\)$/ });
  }
  for (const load of loads) t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('what the old worker has opened on demand is not expected of the next one', async (t) => {
  const primary = await startedPrimary(t, 'opens-ports-on-demand.cjs', { listenTimeoutMs: 2000 });
  const open = async (port, count) => {
    await fetch(`http://127.0.0.1:${primary.port}/?open=${port}`);
    await primary.whenSlot(({ listening }) => listening.length === count, 'the late listener');
  };
  const startedMs = performance.now();
  await until(() => performance.now() - startedMs > 1100, 'what it opens by itself');
  await open(0, 2);
  const port = await freePort();
  await open(port, 3);
  const outcome = await primary.ask('reload', { generation: 2 });
  const note = { kind: 'gone', addresses: [`*:${port}`] };
  t.match(outcome, { ok: true, done: [0], minReady: 1, notes: [{ slot: 0, note }] });
  t.match(await primary.slot(), { listening: [{ address: `*:${primary.port}` }] });
});

t.test('a worker that listens on nothing has exited before the next one starts', async (t) => {
  const LOCK = path.join(t.testdir(), 'lock');
  const change = { env: { LOCK }, listenTimeoutMs: 1500 };
  const primary = await startedPrimary(t, 'runs-alone.cjs', change);
  const [before] = await primary.pids();
  for (const generation of [2, 3]) {
    t.match(await primary.ask('reload', { generation }), { ok: true, done: [0], failed: [] });
  }
  const slot = await primary.slot();
  t.match(slot, { status: 'online', restarts: 0, lastExit: null, emptiesFirst: true });
  t.not(slot.pid, before);

  const bad = { ...primary.spec, env: { ...primary.spec.env, BROKEN: '1' } };
  const outcome = await primary.ask('reload', { spec: bad, generation: 4 });
  t.match(outcome, { ok: false, done: [], kept: [], rolledBack: [0] });
  t.match(outcome.failed, [{ reason: /^exited with code 7/ }]);
  t.match(
    await primary.slot(),
    { status: 'online', restarts: 0, generation: 3 },
    'the old version',
  );
});

t.test('a worker that has never listened at its port is not waited for again', async (t) => {
  const change = { listenTimeoutMs: 1000, minUptimeMs: 0 };
  const primary = await startedPrimary(t, 'never-listens.cjs', change);
  const spec = { ...primary.spec, listenTimeoutMs: 3_600_000 };
  t.match(await within(primary.ask('reload', { spec }), 'the reload'), { ok: true, done: [0] });
});

for (const [who, env] of [
  ['child', {}],
  ['thread', { THREAD: '1' }],
  ['child of a launcher', { ALONE: '1', LATE_MS: '3000' }],
]) {
  t.test(`the port of a ${who} answers after a reload, or that fails`, async (t) => {
    const OTHER_PORT = String(await freePort());
    const BROKEN = path.join(t.testdir(), 'broken');
    const change = {
      env: { OTHER_PORT, BROKEN, ...env },
      drainTimeoutMs: 1000,
      killTimeoutMs: 1000,
    };
    const primary = await startedPrimary(t, 'port-of-a-child.cjs', change);
    const answer = async () => (await fetch(`http://127.0.0.1:${OTHER_PORT}`)).text();
    const before = await until(answer, 'its answer');
    t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0] });
    const after = await answer();
    t.not(after, before);
    const { listening } = await primary.slot();
    const by = env.THREAD ? 'a thread' : `child ${after}`;
    t.match(listening.at(-1), { address: `*:${OTHER_PORT}`, by });
    if (env.THREAD) return;
    // A launcher's child is too late by then.
    if (!env.ALONE) writeFileSync(BROKEN, '');
    const spec = { ...primary.spec, listenTimeoutMs: 1500 };
    const reason = `did not listen on *:${OTHER_PORT} within 1.5 s`;
    const outcome = await primary.ask('reload', { generation: 3, spec });
    t.match(outcome, { ok: false, done: [], failed: [{ reason }] });
    if (env.ALONE) t.ok(await until(answer, 'the old version to run again'));
  });

  if (env.THREAD) continue;
  t.test(`fork mode: the port of a ${who} is seen, and missed after a reload`, async (t) => {
    const OTHER_PORT = String(await freePort());
    const BROKEN = path.join(t.testdir(), 'broken');
    const change = { ...FORK, env: { OTHER_PORT, BROKEN, ...env, LATE_MS: '700' } };
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
    const spec = { ...primary.spec, listenTimeoutMs: 1500 };
    const broken = await primary.ask('reload', { generation: 3, spec });
    const note = { kind: 'gone', addresses: [`*:${OTHER_PORT}`] };
    if (env.ALONE) t.match(broken, { ok: false, failed: [{ slot: 0 }] });
    else t.match(broken, { ok: true, done: [0], notes: [{ slot: 0, note }] });
  });
}

t.test('one that binds a UDP port is replaced beside the next one', async (t) => {
  const primary = await startedPrimary(t, 'binds-udp-late.cjs', { listenTimeoutMs: 1000 });
  const outcome = await primary.ask('reload', { generation: 2 });
  t.match(outcome, { ok: true, done: [0], minReady: 1 });
  t.equal(outcome.notes, undefined, 'nobody says that it listens on nothing');
  t.match(await primary.slot(), { emptiesFirst: false });
});

t.test('a worker that dies when it is already replaced does not undo the reload', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3 });
  let killed;
  const outcome = await primary.ask('reload', { generation: 2 }, ({ kind, slot, pid }) => {
    if (kind === 'online' && slot === 0) killed ??= pid;
    // The third slot begins when the first one is done.
    if (kind === 'starting' && slot === 2 && killed) process.kill(killed, 'SIGKILL');
  });
  t.match(outcome, { ok: true, done: [0, 1, 2] });
  const slots = [{ restarts: 1 }, { restarts: 0 }, { restarts: 0 }];
  t.match(await primary.state(), { generation: 2, slots });
});

const GONE = { reason: 'was killed by SIGKILL', isOldGone: true };
for (const [what, deaths, result] of [
  ['has proven itself too', 1, { ok: true, done: [0], failed: [] }],
  ['fails as well', 2, { ok: false, done: [], kept: [], failed: [GONE] }],
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
  const hasOne = ({ listening: [{ address } = {}, ...others] }) =>
    others.length === 0 && address?.endsWith(`:${primary.port}`);
  await primary.whenSlot(hasOne, 'only the port that stays');
  t.match(await primary.ask('reload'), { ok: true });
});

t.test('the exit of a worker that was stopped is not the exit of its program', async (t) => {
  const primary = await startedPrimary(t, 'avoids-a-port-in-use.cjs');
  const spec = { ...primary.spec, listenTimeoutMs: 1500 };
  const { ok, failed } = await primary.ask('reload', { spec, generation: 2 });
  t.notOk(ok);
  t.match(failed, [{ reason: /^did not listen on .* but on / }]);
});

const generationsOf = (state) => state.slots.map(({ generation }) => generation);

function failingIn(spec, slot) {
  return { ...spec, script: app('fails-in-slot.cjs'), env: { ...spec.env, FAIL_SLOT: slot } };
}

for (const [onFailure, result, generations] of [
  ['keep', { done: [0, 1], kept: [2], rolledBack: [] }, [2, 2, 1]],
  ['rollback', { done: [], kept: [2], rolledBack: [0, 1] }, [1, 1, 1]],
]) {
  t.test(`${onFailure}: no request is lost, and every slot is reported`, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3 });
    const { spec } = primary;
    const load = startLoad(t, { port: primary.port, clients: 4 });
    const order = { spec: failingIn(spec, '2'), generation: 2, onFailure };
    const outcome = await primary.ask('reload', order);
    t.match(outcome, { ok: false, failed: [{ slot: 2, reason: /code 1/ }], minReady: 3 });
    t.match(outcome, result);
    t.equal(outcome.failed.length, 1);
    t.match(await load.stop(), { failed: 0, failures: [] });
    const after = await primary.state();
    t.same(generationsOf(after), generations);
    t.same(after.retiring, []);
    t.match(after, { generation: 1, lastReload: { ok: false, reason: /code 1/, ...result } });

    t.match(await primary.ask('reload', { generation: 3 }), { ok: true, done: [0, 1, 2] });
    t.same(generationsOf(await primary.state()), [3, 3, 3]);
  });
}

for (const [onFailure, result, generations] of [
  ['keep', { done: [0, 1], kept: [3], rolledBack: [2] }, [2, 2, 1, 1]],
  ['rollback', { done: [], kept: [3], rolledBack: [0, 1, 2] }, [1, 1, 1, 1]],
]) {
  t.test(
    `a death within min_uptime ends the reload, though it was online: ${onFailure}`,
    async (t) => {
      const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 4, minUptimeMs: 1500 });
      const { spec } = primary;
      const env = { ...spec.env, FAIL_SLOT: '2', LIVES_MS: '300', STUCK_SLOT: '3' };
      const bad = { ...spec, script: app('dies-after-listen.cjs'), env };
      const seen = [];
      const outcome = await primary.ask(
        'reload',
        { spec: bad, generation: 2, onFailure },
        ({ kind, slot, generation, reason }) => seen.push([kind, slot, generation, reason]),
      );
      // On a busy machine its channel may be seen to close long before its exit.
      const reason = /code 1|closed the channel/;
      t.match(outcome, { ok: false, failed: [{ slot: 2, reason }], ...result });
      t.match(seen[0], ['starting', 0, 2, 'must listen and stay up for 1.5 s']);
      t.ok(
        seen.some(([kind, slot, generation]) => `${kind} ${slot} ${generation}` === 'online 2 2'),
      );
      t.same(generationsOf(await primary.state()), generations);
    },
  );
}

t.test('a worker that crashed since it was replaced does not count as done', async (t) => {
  // A min_uptime of 0: the crash in slot 0 does not fail the reload, but slot 2 does.
  const change = { instances: 3, minUptimeMs: 0, maxRestarts: 0 };
  const primary = await startedPrimary(t, 'http-pid.cjs', change);
  const { spec } = primary;
  const env = { ...spec.env, FAIL_SLOT: '0', LIVES_MS: '50', STUCK_SLOT: '2' };
  const bad = { ...spec, script: app('dies-after-listen.cjs'), env, listenTimeoutMs: 2000 };
  const outcome = await primary.ask('reload', { spec: bad, generation: 2 });
  t.match(outcome, { ok: false, done: [1], kept: [2], failed: [{ slot: 2 }, { slot: 0 }] });
  t.match(outcome.failed, [{ reason: /^did not listen/ }, { reason: 'exited with code 1' }]);
});

t.test('an impossible rollback leaves the new version, and says why', async (t) => {
  const script = `${t.testdir()}/old.cjs`;
  copyApp('http-pid.cjs', script);
  const primary = await startedPrimary(t, script, { instances: 3 });
  const { spec } = primary;
  rmSync(script);
  const order = { spec: failingIn(spec, '2'), generation: 2, onFailure: 'rollback' };
  const outcome = await primary.ask('reload', order);
  t.match(outcome, { ok: false, done: [0, 1], kept: [2], rolledBack: [], minReady: 3 });
  t.match(outcome.failed, [
    { slot: 2 },
    { slot: 0, stays: 'unreverted', reason: /^exited with code 1/ },
  ]);
  t.same(generationsOf(await primary.state()), [2, 2, 1]);
});

for (const [onFailure, kept, rolledBack] of [
  ['keep', [1], [0]],
  ['rollback', [], [0, 1]],
]) {
  t.test(`fork mode, ${onFailure}: the slots run the old version again`, async (t) => {
    // Of a plain process nobody knows when it is loaded, but for what it says itself.
    const change = { ...FORK, waitReady: true, instances: 2, env: { PORT: '0' } };
    const primary = await startedPrimary(t, 'fails-in-slot.cjs', change);
    const before = await primary.pids();
    const spec = failingIn(primary.spec, kept.length > 0 ? '0' : '1');
    const outcome = await primary.ask('reload', { spec, generation: 2, onFailure });
    t.match(outcome, { ok: false, done: [], kept, rolledBack });
    const [first, second] = (await primary.state()).slots;
    t.match([first, second], Array(2).fill({ status: 'online', generation: 1 }));
    t.equal(second.pid === before[1], kept.length > 0);
  });
}

t.test('a slot without a worker before the reload is not rolled back', async (t) => {
  const spec = await specOf('fails-in-slot.cjs', { instances: 2, env: { FAIL_SLOT: '0' } });
  const primary = await startPrimary(t, { ...spec, autorestart: false });
  t.match(await primary.ask('start'), { ok: false, failed: [{ slot: 0 }] });
  const bad = failingIn(spec, '1');
  bad.env.FAIL_FILE = `${t.testdir()}/now`;
  const order = { spec: bad, generation: 2, onFailure: 'rollback' };
  const outcome = await primary.ask('reload', order, ({ kind, slot }) => {
    if (kind === 'online' && slot === 0) writeFileSync(bad.env.FAIL_FILE, '');
  });
  t.match(outcome, { ok: false, done: [0], kept: [1], rolledBack: [] });
  t.match(outcome.failed, [{ slot: 1 }]);
  t.equal(outcome.failed.length, 1);
});
