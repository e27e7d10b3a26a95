import t from 'tap';
import { ask, pidsThatAnswer } from '../../../support/http-ask.js';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const statuses = (state) => state.slots.map((slot) => slot.status);

t.test('start, restart, scale, stop, start again, shutdown', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const { spec } = primary;
  t.match(primary.outcome, { ok: true, done: [0, 1], failed: [] });
  const first = await primary.pids();
  t.same(
    await pidsThatAnswer(primary.port, 2),
    [...first].sort((a, b) => a - b),
  );

  t.match(await primary.ask('restart', { slots: [1] }), { ok: true, done: [1] });
  const second = await primary.pids();
  t.equal(second[0], first[0]);
  t.not(second[1], first[1]);

  t.match(await primary.ask('scale', { spec: { ...spec, instances: 3 }, slots: [0, 1, 2] }), {
    ok: true,
    done: [2],
  });
  t.match(await primary.ask('scale', { spec: { ...spec, instances: 1 }, slots: [1] }), {
    ok: true,
  });
  t.same(await primary.pids(), [second[1]], 'the others are gone, this one untouched');

  t.match(await primary.ask('stop'), { ok: true, done: [1] });
  t.same(statuses(await primary.state()), ['stopped']);
  await t.rejects(ask(primary.port), { code: 'ECONNREFUSED' });
  t.match(await primary.ask('start'), { ok: true, done: [1] });
  const [last] = await primary.pids();

  t.match(await primary.ask('shutdown'), { ok: true });
  t.same(await primary.ended, [null, 'SIGKILL']);
  t.notOk(isRunning(last));
});

t.test('a program that is stopped by message', async (t) => {
  const change = { shutdownWithMessage: true };
  const primary = await startedPrimary(t, 'shuts-down-by-message.cjs', change);
  t.match(await primary.ask('stop'), { ok: true });
  t.same(statuses(await primary.state()), ['stopped']);
});

t.test('a program that ignores its stop signal is killed', async (t) => {
  const primary = await startedPrimary(t, 'ignores-sigterm.cjs', { killTimeoutMs: 300 });
  const [pid] = await primary.pids();
  const killed = { workers: 1, launchers: 0, afterMs: 300, signal: 'SIGTERM' };
  t.match(await primary.ask('restart'), { ok: true, killed });
  t.match(await primary.ask('stop'), { ok: true, killed });
  await until(() => !isRunning(pid), 'the worker to be gone');
});

t.test('live settings also apply to workers of an earlier generation', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const { spec } = primary;
  t.match(await primary.ask('reload', { slots: [0], generation: 2 }), { ok: true, done: [0] });
  await primary.ask('configure', { spec: { ...spec, autorestart: false } });
  const [renewed, old] = (await primary.state()).slots;
  t.same([renewed.generation, old.generation], [2, 1]);
  for (const { pid } of [renewed, old]) process.kill(pid, 'SIGKILL');
  const after = await primary.when(
    ({ slots }) => slots.every(({ pid }) => pid !== renewed.pid && pid !== old.pid) && slots,
    'both to be dead',
  );
  t.match(after, [{ status: 'errored' }, { status: 'errored' }]);
});

t.test('the first start reports workers that are online already', async (t) => {
  const primary = await startPrimary(t, await specOf('http-pid.cjs'));
  await primary.whenSlot(({ status }) => status === 'online', 'it to be online');
  const kinds = [];
  t.match(await primary.ask('start', {}, ({ kind }) => kinds.push(kind)), { ok: true });
  t.same(kinds, ['starting', 'online']);
});
