/** A command on an app that keeps crashing never succeeds, whatever moment it is sent at. */
import t from 'tap';
import { startedPrimary } from '../../primary-under-test.js';

const FAILED = { ok: false, done: [], failed: [{ slot: 0, reason: 'exited with code 1' }] };

t.test('start, while it is in backoff: it is tried at once', async (t) => {
  const change = { maxRestarts: 9, restartDelayMs: 600_000 };
  const primary = await startedPrimary(t, 'exits-1.cjs', change);
  await primary.when(({ slots: [slot] }) => slot.status === 'backoff', 'the slot to wait');
  for (const round of [1, 2]) {
    const kinds = [];
    const outcome = await primary.ask('start', {}, ({ kind }) => kinds.push(kind));
    t.match(outcome, { ...FAILED, failed: [{ lastLines: ['no database'] }] });
    t.strictSame(kinds, ['starting', 'failed'], `round ${round}`);
  }
});

t.test('a program that listens and crashes is online for a moment in each round', async (t) => {
  const primary = await startedPrimary(t, 'dies-after-listen.cjs', {
    env: { LIVES_MS: '100' },
    maxRestarts: 99,
    // On a busy machine its end may come late.
    minUptimeMs: 5000,
    restartDelayMs: 50,
  });
  const hasCrashed = ({ slots: [slot] }) => slot.lastExit !== null && slot.status === 'online';
  await primary.when(hasCrashed, 'it to be online once more');
  t.match(await primary.ask('start'), FAILED);
  t.match(await primary.ask('restart'), FAILED);
  t.match(await primary.ask('reload', { generation: 2 }), { ok: false });
});

t.test('one crash, and the next worker stays', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs');
  process.kill((await primary.state()).slots[0].pid, 'SIGKILL');
  await primary.when(({ slots: [slot] }) => slot.restarts === 1, 'the crash to be seen');
  t.match(await primary.ask('start'), { ok: true, done: [0], failed: [] });
  const { slots } = await primary.state();
  t.match(slots, [{ status: 'online', restarts: 1 }]);
});

t.test('a worker that was replaced crashes before the reload ends', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const { spec } = primary;
  const next = { ...spec, restartDelayMs: 600_000 };
  let first = null;
  const outcome = await primary.ask('reload', { generation: 2, spec: next }, (progress) => {
    if (progress.kind === 'online' && progress.slot === 0) first = progress.pid;
    if (progress.kind === 'starting' && progress.slot === 1) process.kill(first, 'SIGKILL');
  });
  t.match(outcome, { ok: false, done: [1], failed: [{ slot: 0, reason: /SIGKILL/ }] });
});
