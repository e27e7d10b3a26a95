import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

t.test('a worker that is killed is replaced, and the death is remembered', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const before = await primary.state();
  process.kill(before.slots[0].pid, 'SIGKILL');
  const after = await until(async () => {
    const state = await primary.state();
    const [slot] = state.slots;
    return slot.status === 'online' && slot.restarts === 1 && state;
  }, 'the replacement');
  t.not(after.slots[0].pid, before.slots[0].pid);
  t.equal(after.slots[1].pid, before.slots[1].pid);
  t.match(after.slots[0].lastExit, { code: null, signal: 'SIGKILL' });
  t.ok((await ask(primary.port)).pid);
});

t.test('a program that always dies becomes errored, with the reason', async (t) => {
  const primary = await startedPrimary(t, 'exits-1.cjs');
  t.match(primary.outcome, { ok: false });
  const [failing] = (await primary.state()).slots;
  t.match(
    failing,
    { status: 'backoff', reason: 'exited with code 1' },
    'also while it starts again',
  );
  const state = await until(async () => {
    const state = await primary.state();
    return state.slots[0].status === 'errored' && state;
  }, 'errored');
  t.match(state.slots[0], { restarts: 3, lastExit: { code: 1 } });
  t.matchSnapshot(state.slots[0].reason, 'reason');
});

t.test('an exit that is allowed leaves the slot exited', async (t) => {
  const change = { stopExitCodes: [0], minUptimeMs: 20_000 };
  const primary = await startedPrimary(t, 'exits-0.cjs', change);
  t.match((await primary.state()).slots[0], { status: 'exited', restarts: 0 });
});

t.test('a reload of a program that may exit is done when it has exited again', async (t) => {
  const change = { stopExitCodes: [0], minUptimeMs: 20_000 };
  const primary = await startedPrimary(t, 'exits-0.cjs', change);
  const said = [];
  const outcome = await primary.ask('reload', { generation: 2 }, ({ kind }) => said.push(kind));
  t.match(outcome, { ok: true, done: [0], failed: [], kept: [] });
  t.same(said, ['starting', 'exited']);
  const worse = await specOf('exits-1.cjs', { stopExitCodes: [0], minUptimeMs: 20_000 });
  const failed = await primary.ask('reload', { generation: 3, spec: worse });
  t.match(failed, { ok: false, failed: [{ slot: 0 }] });
  t.matchSnapshot(failed.failed[0].reason, 'reason of the failure');
  const state = await primary.state();
  t.match(state, { generation: 2, slots: [{ status: 'exited' }] });
  t.matchSnapshot(state.slots[0].reason, 'reason of the slot');
});

t.test('a program that cannot be started at all', async (t) => {
  const change = { execMode: 'fork', maxRestarts: 1 };
  const primary = await startedPrimary(t, '/nonexistent/program', change);
  const { failed } = primary.outcome;
  t.match(failed[0].reason, /could not be started/);
  t.match(failed[0].lastLines.join('\n'), /ENOENT/);
});

t.test('each slot restarts at its own time', async (t) => {
  const change = { instances: 2, restartDelayMs: 600_000 };
  const primary = await startedPrimary(t, 'http-pid.cjs', change);
  const [first, second] = (await primary.state()).slots;
  const retriesOf = (count) => async () => {
    const { slots } = await primary.state();
    const waiting = slots.filter(({ status }) => status === 'backoff');
    return waiting.length === count && waiting.map(({ retryAtMs }) => retryAtMs);
  };
  process.kill(first.pid, 'SIGKILL');
  const [retryAtMs] = await until(retriesOf(1), 'backoff');
  process.kill(second.pid, 'SIGKILL');
  const [unmoved, later] = await until(retriesOf(2), 'backoff of both');
  t.ok(Math.abs(unmoved - retryAtMs) < 100, 'the later one does not move the earlier one');
  t.ok(later > unmoved);
});

t.test('a working directory that does not exist is named', async (t) => {
  const spec = await specOf('http-pid.cjs', { cwd: '/nonexistent/folder', maxRestarts: 0 });
  const { failed } = await (await startPrimary(t, spec)).ask('start');
  t.matchSnapshot(failed[0].lastLines.join('\n'), 'last lines');
});
