import t from 'tap';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const statuses = (state) => state.slots.map((slot) => slot.status);

t.test('a program that is stopped by message', async (t) => {
  const change = { shutdownWithMessage: true };
  const primary = await startedPrimary(t, 'shuts-down-by-message.cjs', change);
  t.match(await primary.ask('stop'), { ok: true });
  t.same(statuses(await primary.state()), ['stopped']);
});

t.test('a program that ignores its stop signal is killed', async (t) => {
  const primary = await startedPrimary(t, 'ignores-sigterm.cjs', { killTimeoutMs: 300 });
  const [pid] = await primary.pids();
  const killed = { workers: 1, afterMs: 300, signal: 'SIGTERM' };
  t.match(await primary.ask('restart'), { ok: true, killed });
  t.match(await primary.ask('stop'), { ok: true, killed });
  await until(() => !isRunning(pid), 'the worker to be gone');
});

t.test('live settings also apply to workers of an earlier generation', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const { spec } = primary;
  t.match(await primary.ask('reload', { slots: [0], generation: 2 }), { ok: true, done: [0] });
  await primary.configure({ ...spec, autorestart: false });
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
