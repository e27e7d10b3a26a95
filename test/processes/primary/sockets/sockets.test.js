import net from 'node:net';
import t from 'tap';
import { MAX_WAITING } from '../../../../src/primary/sockets/queues.js';
import { machineMs } from '../../../../src/shared/monotonic.js';
import { ask, isRefused } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';
import { eventOf, until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(
    `all workers killed at once: nobody is refused, nobody waits forever: ${scheduling}`,
    async (t) => {
      const change = { instances: 2, scheduling, maxRestarts: 50, minUptimeMs: 100 };
      const primary = await startedPrimary(t, 'http-pid.cjs', change);
      const { spec } = primary;
      const load = startLoad(t, { port: primary.port, clients: 8, keepAlive: false });
      for (let round = 0; round < 5; round++) {
        await load.answers(20);
        const slots = await until(() => longOnline(primary, spec), 'all to be online for long');
        for (const { pid } of slots) process.kill(pid, 'SIGKILL');
      }
      await load.answers(20);
      const { codes } = await load.stop();
      // What a killed worker was answering is lost with it; nothing else may be.
      const others = Object.keys(codes).filter((code) => code !== 'ECONNRESET');
      t.same(others, []);
    },
  );

  t.test(`a restart refuses nobody: ${scheduling}`, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2, scheduling });
    const load = startLoad(t, { port: primary.port, clients: 8, keepAlive: false });
    await load.answers(20);
    t.match(await primary.ask('restart'), { ok: true });
    await load.answers(20);
    t.match(await load.stop(), { failed: 0, failures: [] });
  });

  t.test(`a stop closes the socket: ${scheduling}`, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { scheduling });
    await ask(primary.port);
    await primary.ask('stop');
    await until(() => isRefused(primary.port), 'the socket to be closed');
    t.match(await primary.ask('start'), { ok: true });
    t.ok((await ask(primary.port)).pid);
  });
}

t.test('fair: a port that another process had is used as soon as it is free', async (t) => {
  const spec = await specOf('http-pid.cjs', { scheduling: 'fair', maxRestarts: 1000 });
  const other = net.createServer().listen(Number(spec.env.PORT));
  await eventOf(other, 'listening');
  const primary = await startPrimary(t, spec);
  const { failed } = await primary.ask('start');
  t.match(failed[0].lastLines.join('\n'), /EADDRINUSE/);
  other.close();
  t.ok(await primary.when(({ slots }) => slots[0].status === 'online', 'it to be online'));
  t.match(await ask(primary.port), { pid: Number });
});

t.test('an app that gives up refuses its clients', async (t) => {
  const spec = await specOf('dies-after-listen.cjs', { maxRestarts: 1 });
  const primary = await startPrimary(t, spec);
  await until(async () => (await primary.state()).slots[0].status === 'errored', 'errored');
  await until(() => isRefused(primary.port), 'the socket to be closed');
  t.ok(await isRefused(primary.port));
});

t.test('round-robin: connections that wait too long are closed', async (t) => {
  const spec = await specOf('listens-late.cjs', {
    env: { LATE_MS: '60000' },
    scheduling: 'round-robin',
    holdTimeoutMs: 1500,
  });
  const good = { ...spec, env: { ...spec.env, LATE_MS: '1' } };
  const primary = await startPrimary(t, good);
  await primary.ask('start');
  const restarted = primary.ask('restart', { spec, generation: 2 }).catch(() => {});
  await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.generation === 2 && slot.status === 'starting';
  }, 'the new worker to be on its way');
  const closed = connect(primary.port, 2).map((socket) => eventOf(socket, 'close'));
  await Promise.all(closed);
  t.pass('both are closed, not left hanging');
  await primary.ask('shutdown').catch(() => {});
  await restarted;
});

t.test(
  'round-robin: connections beyond the limit are counted until the counters are reset',
  async (t) => {
    const env = { LATE_MS: '600000' };
    const change = { env, scheduling: 'round-robin' };
    const spec = await specOf('listens-late.cjs', change);
    const primary = await startPrimary(t, { ...spec, env: { ...spec.env, LATE_MS: '1' } });
    await primary.ask('start');
    t.match(await primary.state(), { connectionsGivenUp: 0 });
    const restarted = primary.ask('restart', { spec, generation: 2 }).catch(() => {});
    await until(async () => {
      const [slot] = (await primary.state()).slots;
      return slot.generation === 2 && slot.status === 'starting';
    }, 'the new worker to be on its way');
    const sockets = connect(primary.port, MAX_WAITING + 1);
    await Promise.race(sockets.map((socket) => eventOf(socket, 'close')));
    t.match(await primary.state(), { connectionsGivenUp: 1 });
    for (const socket of sockets) socket.destroy();
    await primary.ask('reset');
    t.match(await primary.state(), { connectionsGivenUp: 0 });
    await primary.ask('shutdown').catch(() => {});
    await restarted;
  },
);

t.test('two ports are both held', async (t) => {
  const spec = await specOf('two-ports.cjs');
  spec.env.OTHER_PORT = String(await freePort());
  const primary = await startPrimary(t, spec);
  await primary.ask('start');
  // A start ends when the first one is listened on.
  const pid = await primary.when(({ slots: [slot] }) => slot.listening.length === 2 && slot.pid);
  process.kill(pid, 'SIGKILL');
  const ports = [primary.port, Number(spec.env.OTHER_PORT)];
  const answers = await Promise.all(ports.map((port) => ask(port)));
  for (const answer of answers) t.not(answer.pid, pid);
});

/** @returns its slots, when none of the workers counts as new any more */
async function longOnline(primary, { minUptimeMs }) {
  const { slots } = await primary.state();
  const isOld = ({ status, startedMs }) =>
    status === 'online' && machineMs() - startedMs > 3 * minUptimeMs;
  return slots.every(isOld) && slots;
}

function connect(port, count) {
  return Array.from({ length: count }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
}
