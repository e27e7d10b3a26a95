/** Clients wait while a restart stops the old workers, however long the slowest takes. */
import net from 'node:net';
import t from 'tap';
import { copyApp } from '../../../support/files.js';
import { ask } from '../../../support/http-ask.js';
import { eventOf } from '../../../support/until.js';
import { freePort } from '../../../support/ports.js';
import { startedPrimary } from '../../primary-under-test.js';

/** Longer than hold_timeout, which counts from the exit of the last old worker. */
const DRAIN_MS = 6000;
/** In which a new worker starts, also on a busy machine. */
const HOLD_MS = 5000;

// Each waits for a drain: they do so together.
t.jobs = 4;

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
