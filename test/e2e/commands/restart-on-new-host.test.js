/** A new version that listens on another address of the same port needs a restart. */
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

for (const scheduling of ['round-robin', 'fair']) {
  t.test(scheduling, async (t) => {
    const { ok, run, appNamed } = testHome(t);
    const port = String(await freePort());
    const start = ['start', app('listens-on-host.cjs'), '--name', 'api', '-i', '2'];
    await ok([...start, '--scheduling', scheduling], { env: { PORT: port } });
    for (const HOST of ['127.0.0.1', '0.0.0.0']) {
      // The first worker may die of the daemon's copy of the old socket.
      await run(['restart', 'api', '--update-env'], { env: { PORT: port, HOST } });
      const { workers } = await until(async () => {
        const shown = await appNamed('api');
        return shown.workers.every(({ status }) => status === 'online') && shown;
      }, `both to be online on ${HOST}`);
      const { pid } = await ask(Number(port));
      t.ok(workers.some((worker) => worker.pid === pid));
    }
  });
}
