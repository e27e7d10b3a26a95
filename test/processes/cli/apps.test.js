/** Commands on apps: alone, two at once, by cron, to another host, and the table that shows them. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path, { join } from 'node:path';
import t from 'tap';
import { availableCores } from '../../../src/daemon/cgroup-limits.js';
import { app, testHome } from '../../support/home.js';
import { ask, pidsThatAnswer } from '../../support/http-ask.js';
import { freePort, freePorts } from '../../support/ports.js';
import { until } from '../../support/until.js';

// stop, start, restart, delete and kill, with every kind of selector.

t.test('two apps of one namespace, until kill leaves nothing but data', async (t) => {
  const { home, ok, run, list, pidsOf } = testHome(t, { inProcess: true });
  const [port, other] = await freePorts(2);
  for (const [name, PORT] of Object.entries({ api: port, web: other })) {
    const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', name];
    await ok([...start, '--namespace', 'shop'], { env: { PORT: String(PORT) } });
  }
  const web = await pidsOf('web');
  await ok(['stop', 'api']);
  await t.rejects(ask(port), { code: 'ECONNREFUSED' });
  await ok(['start', 'api']);
  t.ok(await ask(port));
  t.same(await pidsOf('web'), web, 'the other app was left alone');
  await ok(['del', '/^ap/']);
  t.match((await list()).apps, [{ name: 'web' }]);
  await ok(['stop', 'shop']);
  await ok(['start', 'all']);
  await ok(['kill']);
  await t.rejects(ask(other), { code: 'ECONNREFUSED' });
  t.equal((await run(['ping'])).code, 8);
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' });
  t.same(
    left.filter((each) => !each.startsWith('versions') && /tmp|sock|~$/.test(each)),
    [],
  );
});

t.test('kill during a reload', async (t) => {
  const { root, ok, begin } = testHome(t, { inProcess: true });
  const ready = path.join(root, 'READY_0');
  writeFileSync(ready, '');
  const env = { PORT: String(await freePort()), FOLDER: root };
  const script = app('ready-when-file-exists.cjs');
  await ok(['start', script, '--name', 'api', '--wait-ready'], { env });
  rmSync(ready);
  const reload = begin(['reload', 'api']);
  await reload.said(/start/i);
  t.match(await ok(['kill']), { stdout: /api/ });
  const { code, stderr } = await reload.ended;
  t.equal(code, 5, stderr);
  t.match(stderr, /`nodecluster kill` stopped api before the command was done/);
  t.notMatch(stderr, /started again/);
});

t.test('cron_restart does not start an app again whose stop waits for its turn', async (t) => {
  const { ok, begin, list } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()), LATE_MS: '1500' };
  const cron = ['--cron-restart', '* * * * * *'];
  await ok(['start', app('listens-late.cjs'), '--name', 'api', ...cron], { env });
  const restart = begin(['restart', 'api']);
  await restart.said(/starting/);
  await ok(['stop', 'api']);
  await ok(['reset', 'api']); // waits for what is in the queue
  t.equal((await list()).apps[0].status, 'stopped');
  await restart.ended;
});

t.test('an app listens on another address after a restart', async (t) => {
  const { ok, run, appNamed } = testHome(t, { inProcess: true });
  const port = String(await freePort());
  const start = ['start', app('listens-on-host.cjs'), '--name', 'api', '-i', '2'];
  await ok(start, { env: { PORT: port } });
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

const home = testHome(t, { inProcess: true });

const cases = [{ program: 'express-pid.mjs', i: 'max', workers: availableCores() }];

for (const { program, i, workers } of cases) {
  t.test(`${program} -i ${i}: every worker answers`, async (t) => {
    const { ok, appNamed } = home;
    const port = await freePort();
    const env = { PORT: String(port) };
    const args = ['start', app(program), '-i', i, '--name', program];
    const { stdout, stderr } = await ok(args, { env });
    t.match(stdout, program, 'the table names the app');
    t.match(stderr, ` online on http://localhost:${port} in `);
    const shown = await appNamed(program);
    const pids = shown.workers.map(({ pid }) => pid).sort((a, b) => a - b);
    t.equal(pids.length, workers);
    t.same(await pidsThatAnswer(port, workers), pids);
    t.ok(shown.workers.every(({ status }) => status === 'online'));
    t.same(shown.workers[0].listening, [{ address: `*:${port}`, protocol: 'http' }]);
  });
}

t.test('the name of an app comes before a command in PATH', async (t) => {
  const { ok, appNamed } = home;
  await ok(['start', app('http-pid.cjs'), '--name', 'sleep'], { env: { PORT: '0' } });
  await ok(['start', 'sleep', '-i', '2']);
  t.equal((await appNamed('sleep')).workers.length, 2);
});

t.test(
  'start of a program or a file that is stopped takes the variables of this shell',
  async (t) => {
    const file = join(home.root, 'x.yml');
    writeFileSync(file, `script: ${app('http-pid.cjs')}\nname: filed\n`);
    const targets = [
      ['filed', [file]],
      ['typed', [app('http-pid.cjs'), '--name', 'typed']],
    ];
    for (const [name, target] of targets) {
      const PORT = String(await freePort());
      const start = (words, env) => home.ok(['start', ...words], { env: { PORT, ...env } });
      const variables = async () => (await home.ok(['env', name])).stdout;
      await start(target, { DB_HOST: 'old', ONLY_OLD: '1' });
      await home.ok(['stop', name]);
      const again = await start(target, { DB_HOST: 'new' });
      t.match(again.stderr, `${name}: variables of this shell differ from those before: `);
      t.match(again.stderr, /DB_HOST/);
      t.match(again.stderr, /ONLY_OLD/);
      t.notMatch(again.stderr, /PWD|: old|: new/, 'no values, and nothing of the session');
      t.match(await variables(), /^DB_HOST=new$/m);
      t.notMatch(await variables(), /ONLY_OLD/);
      const runs = await start(target, { DB_HOST: 'other' });
      t.match(
        runs.stderr,
        `${name} keeps the variables that it runs with. Different in this shell: DB_HOST`,
      );
      await home.ok(['stop', name]);
      t.match((await start([name], { DB_HOST: 'other' })).stderr, /in this shell: DB_HOST\./);
      t.match(await variables(), /^DB_HOST=new$/m, 'start of a name keeps them');
      const same = await start(target, { DB_HOST: 'new' });
      t.notMatch(same.stderr, /variables/, 'nothing is said if nothing differs');
      await home.ok(['delete', name]);
    }
  },
);
