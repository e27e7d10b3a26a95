/** A port that the worker of one slot opens: its siblings serve something else. */
import t from 'tap';
import { ask, isRefused } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(
    `a port of slot 0 stays open while slot 0 is to have a worker: ${scheduling}`,
    async (t) => {
      const spec = await specOf('own-port-in-slot-0.cjs', {
        instances: 2,
        scheduling,
        maxRestarts: 50,
      });
      const adminPort = await freePort();
      spec.env.ADMIN_PORT = String(adminPort);
      const primary = await startPrimary(t, spec);
      t.match(await primary.ask('start'), { ok: true });
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
  const [slot] = (await primary.state()).slots;
  return slot.listening.some(({ address }) => address === `*:${port}`) ? slot : undefined;
}
