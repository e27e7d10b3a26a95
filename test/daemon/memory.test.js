import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { ask } from '../support/http-ask.js';
import { app as fixture } from '../support/home.js';
import { until } from '../support/until.js';
import { daemonUnderTest, webSpec } from './daemon-under-test.js';

t.test('a worker that grows beyond max_memory_restart is replaced, the others stay', async (t) => {
  const daemon = daemonUnderTest(t);
  await daemon.start();
  const spec = await webSpec({
    script: fixture('grows-on-demand.cjs'),
    maxMemoryRestartBytes: 300 * 1024 ** 2,
  });
  await daemon.ask('start', { specs: [spec] });
  const { pid } = await ask(Number(spec.env.PORT), '/grow?400');
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
  const line = new RegExp(`web:${grown.slot} uses 4.*M, its max_memory_restart is 300M: replacing`);
  t.match(daemon.log(), line);
  await daemon.logged(/web: renew: \{"ok":true/);
});

t.test('an app of a daemon that knew no such option is taken over', async (t) => {
  const daemon = daemonUnderTest(t);
  await daemon.start();
  const { hangTimeoutMs, maxMemoryRestartBytes, ...older } = await webSpec({ instances: 1 });
  t.same([hangTimeoutMs, maxMemoryRestartBytes], [null, null]);
  await daemon.ask('start', { specs: [{ ...older, maxMemoryRestartBytes: null }] });
  const { primaryPid } = await daemon.view('web');
  const { daemon: self } = await daemon.ask('list');
  process.kill(self.pid, 'SIGKILL');
  const desired = JSON.parse(readFileSync(daemon.paths.desired, 'utf8'));
  for (const { spec } of desired.apps) delete spec.maxMemoryRestartBytes;
  writeFileSync(daemon.paths.desired, JSON.stringify(desired));
  daemon.spawnDaemon();
  const { apps } = await daemon.ask('describe', { selectors: ['web'] });
  t.match(apps, [{ primaryPid, spec: { hangTimeoutMs: null, maxMemoryRestartBytes: null } }]);
});
