/** An app from start to delete, and a reload under load with each kind of scheduling. */
import t from 'tap';
import { app, testHome } from '../support/home.js';
import { ask } from '../support/http-ask.js';
import { startBothLoads } from '../support/http-load.js';
import { freePort } from '../support/ports.js';
import { processesOf } from '../support/processes.js';
import { until } from '../support/until.js';

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
  await ok(['save']);
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
