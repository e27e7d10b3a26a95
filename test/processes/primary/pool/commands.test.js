/** Commands of a primary: who asks while a restart stops the old workers waits, however long the slowest takes. */
import net from 'node:net';
import t from 'tap';
import { copyApp } from '../../../support/files.js';
import { ask } from '../../../support/http-ask.js';
import { freePort } from '../../../support/ports.js';
import { isRunning } from '../../../support/processes.js';
import { eventOf, until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

t.jobs = 4;

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

/** Longer than hold_timeout, which counts from the exit of the last old worker. */
const DRAIN_MS = 6000;
/** In which a new worker starts, also on a busy machine. */
const HOLD_MS = 5000;

for (const scheduling of ['round-robin', 'fair']) {
  t.test(`${scheduling}: an old connection that stays open, and a new one`, async (t) => {
    const TCP_PORT = String(await freePort());
    const change = { drainTimeoutMs: DRAIN_MS, holdTimeoutMs: HOLD_MS, env: { TCP_PORT } };
    const primary = await startedPrimary(t, 'long-lived.cjs', {
      ...change,
      instances: 2,
      scheduling,
    });
    const lasting = await echoed(t, TCP_PORT);
    const before = (await primary.pids()).map(String);
    t.ok(before.includes(lasting), 'an old worker has the connection');
    let late;
    const outcome = await primary.ask('restart', {}, ({ kind }) => {
      if (kind === 'stopping') late ??= echoed(t, TCP_PORT).catch(({ message }) => message);
    });
    t.match(outcome, { ok: true, done: [0, 1], longLivedCut: 1, minReady: 0 });
    t.ok(outcome.durationMs >= DRAIN_MS, `it says ${outcome.durationMs} ms`);
    t.notOk(before.includes(await late), 'a new worker has the other');
  });
}

t.test('a program that listens late', async (t) => {
  const env = { LATE_MS: '2500' };
  const primary = await startedPrimary(t, 'listens-late.cjs', { env, instances: 2 });
  await primary.when(
    ({ slots }) => slots.every(({ listening }) => listening.length > 0),
    'both to listen',
  );
  const before = await primary.pids();
  let answer;
  let gone = 0;
  const outcome = await primary.ask('restart', {}, ({ kind }) => {
    if (kind === 'stopped') gone += 1;
    if (gone === 2) answer ??= ask(primary.port);
  });
  t.match(outcome, { ok: true, done: [0, 1] });
  const { slots } = await primary.state();
  t.ok(
    slots.every(({ listening }) => listening.length > 0),
    'it is done when both listen',
  );
  const { pid } = await answer;
  t.notOk(before.includes(pid), 'who asked meanwhile was not refused');
});

t.test('a version that does not listen any more', async (t) => {
  const script = `${t.testdir()}/app.cjs`;
  copyApp('http-pid.cjs', script);
  const change = { listenTimeoutMs: 1000, holdTimeoutMs: 6000 };
  const primary = await startedPrimary(t, script, change);
  copyApp('never-listens.cjs', script);
  const outcome = await primary.ask('restart');
  t.match(outcome, { ok: false, failed: [{ slot: 0 }] });
  t.matchSnapshot(outcome.failed[0].reason, 'reason');
  await primary.when(({ slots }) => slots[0].status === 'online', 'nobody to wait for it any more');
  t.match(await primary.ask('restart'), { ok: true, done: [0] });
});

async function echoed(t, port) {
  const socket = net.connect(Number(port), '127.0.0.1');
  // A drain waits for what is not silent.
  const talk = setInterval(() => socket.write('hello\n'), 50);
  socket.on('error', () => {}).on('close', () => clearInterval(talk));
  t.teardown(() => socket.destroy());
  const [answer] = await eventOf(socket, 'data');
  return String(answer).split(' ')[0];
}
