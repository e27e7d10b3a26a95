/** A reload that fails after some workers were replaced: those are kept, or rolled back. */
import { rmSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { copyApp } from '../../../support/files.js';
import { startLoad } from '../../../support/http-load.js';
import { app } from '../../../support/home.js';
import { FORK, specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

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
  ['keep', { done: [0], kept: [2], rolledBack: [1] }, [2, 1, 1]],
  ['rollback', { done: [], kept: [2], rolledBack: [0, 1] }, [1, 1, 1]],
]) {
  t.test(
    `a death within min_uptime ends the reload, though it was online: ${onFailure}`,
    async (t) => {
      const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3, minUptimeMs: 1500 });
      const { spec } = primary;
      const env = { ...spec.env, FAIL_SLOT: '1', LIVES_MS: '300', STUCK_SLOT: '2' };
      const bad = { ...spec, script: app('dies-after-listen.cjs'), env };
      const seen = [];
      const outcome = await primary.ask(
        'reload',
        { spec: bad, generation: 2, onFailure },
        ({ kind, slot, generation, reason }) => seen.push([kind, slot, generation, reason]),
      );
      // On a busy machine its channel may be seen to close long before its exit.
      const reason = /code 1|closed the channel/;
      t.match(outcome, { ok: false, failed: [{ slot: 1, reason }], ...result });
      t.match(seen[0], ['starting', 0, 2, 'must stay up for 1.5 s']);
      t.ok(
        seen.some(([kind, slot, generation]) => `${kind} ${slot} ${generation}` === 'online 1 2'),
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
    { slot: 0, reason: /^could not be rolled back: exited with code 1/ },
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

t.test('a slot without a worker before the reload cannot be rolled back', async (t) => {
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
  t.match(outcome.failed, [{ slot: 1 }, { slot: 0, reason: /no worker ran here before/ }]);
});
