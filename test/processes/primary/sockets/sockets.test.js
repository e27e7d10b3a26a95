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
}

t.test('an app that gives up refuses its clients', async (t) => {
  const spec = await specOf('dies-after-listen.cjs', { maxRestarts: 1 });
  const primary = await startPrimary(t, spec);
  await primary.whenSlot(({ status }) => status === 'errored', 'it to be errored');
  t.ok(await until(() => isRefused(primary.port), 'the socket to be closed'));
});

/** In round-robin scheduling, with a worker that does not listen in time. */
async function waitingForAWorker(t, change) {
  const late = await specOf('listens-late.cjs', {
    ...{ env: { LATE_MS: '600000' }, scheduling: 'round-robin', ...change },
  });
  const primary = await startPrimary(t, { ...late, env: { ...late.env, LATE_MS: '1' } });
  await primary.ask('start');
  t.match(await primary.state(), { connectionsGivenUp: 0 });
  const restarted = primary.ask('restart', { spec: late, generation: 2 }).catch(() => {});
  const isNext = ({ generation, status }) => generation === 2 && status === 'starting';
  await primary.whenSlot(isNext, 'the new worker to be on its way');
  const end = async () => {
    await primary.ask('shutdown').catch(() => {});
    await restarted;
  };
  return { ...primary, end };
}

t.test('round-robin: connections that wait too long are closed', async (t) => {
  const primary = await waitingForAWorker(t, { holdTimeoutMs: 1500 });
  const closed = connect(primary.port, 2).map((socket) => eventOf(socket, 'close'));
  t.equal((await Promise.all(closed)).length, 2, 'not left hanging');
  await primary.end();
});

t.test('round-robin: those beyond the limit are counted, until a reset', async (t) => {
  const primary = await waitingForAWorker(t, {});
  const sockets = connect(primary.port, MAX_WAITING + 1);
  await Promise.race(sockets.map((socket) => eventOf(socket, 'close')));
  t.match(await primary.state(), { connectionsGivenUp: 1 });
  for (const socket of sockets) socket.destroy();
  await primary.ask('reset');
  t.match(await primary.state(), { connectionsGivenUp: 0 });
  await primary.end();
});

t.test('two ports are both held', async (t) => {
  const OTHER_PORT = String(await freePort());
  const primary = await startedPrimary(t, 'two-ports.cjs', { env: { OTHER_PORT } });
  // A start ends when the first one is listened on.
  const { pid } = await primary.whenSlot(({ listening }) => listening.length === 2, 'both');
  process.kill(pid, 'SIGKILL');
  const ports = [primary.port, Number(OTHER_PORT)];
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

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(
    `a port of slot 0 stays open while slot 0 is to have a worker: ${scheduling}`,
    async (t) => {
      const adminPort = await freePort();
      const env = { ADMIN_PORT: String(adminPort) };
      const change = { instances: 2, scheduling, maxRestarts: 50, env };
      const primary = await startedPrimary(t, 'own-port-in-slot-0.cjs', change);
      t.match(primary.outcome, { ok: true });
      await until(() => adminOf(primary, adminPort), 'the second port to be listened on');
      const load = startLoad(t, { port: adminPort, clients: 4, keepAlive: false });
      for (let round = 0; round < 3; round++) {
        await load.answers(20);
        const { pid } = await adminOf(primary, adminPort);
        process.kill(pid, 'SIGKILL');
        await until(
          async () => (await adminOf(primary, adminPort))?.pid !== pid,
          'the next worker',
        );
      }
      t.match(await primary.ask('restart', { slots: [0] }), { ok: true });
      await load.answers(20);
      t.match(await primary.ask('reload'), { ok: true });
      await load.answers(20);
      const { codes } = await load.stop();
      // What a killed worker was answering is lost with it; nothing else may be.
      const others = Object.keys(codes).filter((code) => code !== 'ECONNRESET');
      t.same(others, []);

      await primary.ask('stop', { slots: [0] });
      await until(() => isRefused(adminPort), 'the socket of a stopped slot to be closed');
      t.match(await ask(primary.port), { pid: Number }, 'its sibling still serves');
    },
  );
}

/** @returns slot 0, if its worker listens on that port */
async function adminOf(primary, port) {
  const slot = await primary.slot();
  return slot.listening.some(({ address }) => address === `*:${port}`) ? slot : undefined;
}
