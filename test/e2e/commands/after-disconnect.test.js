/** A reload continues when the client that requested it disconnects. */
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

async function threeWorkers(t) {
  const home = testHome(t);
  const env = { PORT: String(await freePort()), LATE_MS: '300' };
  const start = ['start', app('fails-in-slot.cjs'), '-i', '3', '--name', 'api'];
  await home.ok(start, { env });
  const described = () => home.described('api');
  const load = startLoad(t, { port: Number(env.PORT), clients: 3 });
  /** Waits until the reload has ended, and what it did is what the daemon wants. */
  const reloaded = async () => {
    const end = await until(async () => {
      const shown = await described();
      return shown.lastReload && !shown.busy && shown;
    }, 'the reload to end');
    const { made, failures } = await load.stop();
    t.same(failures, [], `of ${made} requests`);
    return end;
  };
  return { ...home, env, described, reloaded };
}

t.test('Ctrl-C stops watching, not the reload', async (t) => {
  const { begin, pidsOf, reloaded } = await threeWorkers(t);
  const before = await pidsOf('api');
  const reload = begin(['reload', 'api']);
  await reload.said(/api:0 online/);
  reload.child.kill('SIGINT');
  const { code, stderr } = await reload.ended;
  t.equal(code, 130);
  t.match(stderr, /continues/);
  t.match((await reloaded()).lastReload, { ok: true, done: [0, 1, 2], generation: 2 });
  t.notOk((await pidsOf('api')).some((pid) => before.includes(pid)));
});

t.test('kills of the CLI and the daemon', async (t) => {
  const { begin, env, list, pidsOf, reloaded, ok } = await threeWorkers(t);
  const before = await pidsOf('api');
  const { daemon, apps } = await list();
  const reload = begin(['reload', 'api', '--update-env'], { env: { ...env, APP_VERSION: '2' } });
  await reload.said(/api:0 online/);
  process.kill(daemon.pid, 'SIGKILL');
  reload.child.kill('SIGKILL');
  await until(() => !isRunning(daemon.pid), 'the daemon to exit');
  const end = await reloaded();
  t.match(end.lastReload, { ok: true, done: [0, 1, 2], generation: 2 });
  t.equal(end.primaryPid, apps[0].primaryPid);
  t.notOk((await pidsOf('api')).some((pid) => before.includes(pid)));
  await until(
    async () => /^APP_VERSION=2$/m.test((await ok(['env', 'api'])).stdout),
    'the next daemon to want what the reload brought',
  );
});

t.test('--no-wait returns at once, and describe shows the outcome', async (t) => {
  const { ok, env, described, reloaded } = await threeWorkers(t);
  const order = ['reload', 'api', '--update-env', '--on-failure', 'rollback', '--no-wait'];
  // On a busy machine a command takes seconds.
  const { stderr } = await ok(order, { env: { ...env, LATE_MS: '2500', FAIL_SLOT: '2' } });
  t.match(stderr, /accepted/);
  t.equal((await described()).busy, 'reload');
  const end = await reloaded();
  t.match(end.lastReload, { ok: false, kept: [2], rolledBack: [0, 1], reason: /code 1/ });
  t.match((await ok(['describe', 'api'])).stdout, /failed .* ago: .*1 kept, 2 rolled back/);
});
