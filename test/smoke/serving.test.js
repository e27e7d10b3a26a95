/** An app from start to delete, a reload under load with each kind of scheduling, the page, and another version. */
import path from 'node:path';
import t from 'tap';
import { app, testHome } from '../support/home.js';
import { ask } from '../support/http-ask.js';
import { startBothLoads, startLoad } from '../support/http-load.js';
import { makeOtherVersion } from '../support/package/other-version.js';
import { freePort } from '../support/ports.js';
import { processesOf } from '../support/processes.js';
import { until } from '../support/until.js';
import { webClient } from '../support/web/client.js';

const FAST = ['--min-uptime', '100ms'];

t.test('an app from start to delete', async (t) => {
  const { root, run, ok, appNamed, pidsOf, list } = testHome(t, { inProcess: true });
  const port = await freePort();
  const env = { PORT: String(port) };
  const started = await ok(['start', app('writes-on-demand.cjs'), '--name', 'web', ...FAST], {
    env,
  });
  t.match(started.stderr, /✔ web: 1 worker online on http:\/\/localhost:\d+ in/);
  t.match(started.stdout, / 0 {2}web .*cluster .*online/);
  t.match(await ask(port, '/hello'), { pid: Number });
  const logged = async () =>
    /^web:0 .*hello/m.test((await ok(['logs', 'web', '--no-follow'])).stdout);
  await until(logged, 'its log');

  await ok(['scale', 'web', '3']);
  const three = await pidsOf('web');
  t.equal(three.length, 3);
  await ok(['stop', 'web:1']);
  t.match(await appNamed('web'), { workers: [{ status: 'online' }, { status: 'stopped' }, {}] });
  await ok(['restart', 'web']);
  const restarted = await pidsOf('web');
  t.notOk(restarted.some((pid) => three.includes(pid)));
  t.match(await run(['reload', 'wbe']), { code: 4, stderr: /Did you mean web\?/ });
  t.match((await ok(['describe', 'web'])).stdout, /instances +3/);
  await ok(['delete', 'web']);
  t.same((await list()).apps, []);
  await until(() => processesOf(root).length === 1, 'only the daemon to be left');
});

t.test('a reload under load loses nothing', async (t) => {
  const { ok, appNamed, pidsOf } = testHome(t, { inProcess: true });
  for (const scheduling of ['fair', 'round-robin', 'sticky']) {
    await t.test(scheduling, async (t) => {
      const port = await freePort();
      const env = { PORT: String(port) };
      const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', scheduling, ...FAST];
      await ok([...start, '--scheduling', scheduling], { env });
      t.equal((await appNamed(scheduling)).scheduling, scheduling);
      const before = await pidsOf(scheduling);
      const load = startBothLoads(t, { port, clients: 2, manyAddresses: true });
      await load.answers(5);
      await ok(['reload', scheduling]);
      await load.answers(5);
      const { made, failures } = await load.stop();
      t.same(failures, [], `of ${made} requests`);
      t.notOk((await pidsOf(scheduling)).some((pid) => before.includes(pid)));
      await ok(['delete', scheduling]);
    });
  }
});

t.test('the page shows an app and reloads it', async (t) => {
  const home = testHome(t, { inProcess: true });
  await home.startApi(['--min-uptime', '100ms']);
  const serving = home.begin(['web', '--listen', '127.0.0.1:0']);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [link, port] = await serving.said(/^http:\/\/127\.0\.0\.1:(\d+)\/#token=\S+$/m);
  const client = webClient({ port: Number(port) });
  t.match(await client.ask('/'), { status: 200, body: /<script type="module"/ });
  t.match(await client.ask('/api/events'), { status: 401 });
  await client.signIn(link);
  const page = await client.stream('/api/events');
  const { state } = await page.next('snapshot');
  t.match(state.apps.api, { status: 'online', instances: 1, generation: 1 });
  const before = await home.pidsOf('api');
  const begun = await client.post('/api/actions', { action: 'reload', target: 'api' });
  t.equal(begun.status, 204);
  await until(
    async () => (await home.appNamed('api')).generation === 2 && !(await home.appNamed('api')).busy,
    'the reload to end',
  );
  t.notSame(await home.pidsOf('api'), before);
  page.close();
});

t.test('update, and update --apps', async (t) => {
  const { root, ok, list } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()) };
  await ok(['start', app('http-pid.cjs'), '--name', 'web', '-i', '2'], { env });
  const [before] = (await list()).apps;
  const load = startLoad(t, { port: Number(env.PORT), clients: 2, keepAlive: false });
  const bin = await makeOtherVersion(path.join(root, 'newer'));
  t.match((await ok(['update'], { bin })).stdout, /→ 9\.0\.0/);
  const after = await list();
  t.equal(after.daemon.version, '9.0.0');
  t.equal(after.apps[0].primaryPid, before.primaryPid);
  await ok(['update', '--apps'], { bin });
  t.not((await list()).apps[0].primaryPid, before.primaryPid);
  await load.answers(5);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
});
