/** `max_memory_restart`, of programs of both modes. */
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { app as fixture } from '../../../support/home.js';
import { until } from '../../../support/until.js';
import { startedDaemon, webSpec } from '../../daemon-under-test.js';

const FORKED = { execMode: 'fork', interpreter: process.execPath, instances: 1 };

for (const change of [{}, FORKED]) {
  const { execMode = 'cluster' } = change;
  t.test(`a worker above it is replaced, the others stay: ${execMode}`, async (t) => {
    const spec = await webSpec({
      script: fixture('grows-on-demand.cjs'),
      maxMemoryRestartBytes: 300 * 1024 ** 2,
      ...change,
    });
    const daemon = await startedDaemon(t, [spec]);
    const grow = () => ask(Number(spec.env.PORT), '/grow?400').catch(() => null);
    const { pid } = await until(grow, 'a worker to listen');
    const before = (await daemon.view('web')).workers;
    const after = await until(async () => {
      const { workers } = await daemon.view('web');
      const isRenewed = workers.every((worker) => worker.pid !== pid && worker.status === 'online');
      return isRenewed && workers;
    }, 'the worker to be replaced');
    const grown = before.find((worker) => worker.pid === pid);
    for (const worker of after) {
      t.equal(worker.restarts, 0);
      if (worker.slot !== grown.slot) t.equal(worker.pid, before[worker.slot].pid);
    }
    const how = 'used more memory than its max_memory_restart of 300M';
    t.match(
      daemon.log(),
      new RegExp(
        `"worker.replacing",.*"slot":${grown.slot},"pid":${grown.pid},"reason":"it ${how}"`,
      ),
    );
    t.match(daemon.log(), `"why":"${how}"`, 'as the line in the log of the app says');
  });
}
