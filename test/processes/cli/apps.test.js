/** Commands on apps: alone, two at once, by cron, and to another host. */
import t from 'tap';
import { readdirSync, rmSync, writeFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { copyApp } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePorts, freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

// stop, start, restart, delete and kill, with every kind of selector.

t.test('kill leaves nothing but data', async (t) => {
  const { home, ok, startApi } = testHome(t, { inProcess: true });
  await startApi(['-i', '2']);
  await ok(['start', app('http-pid.cjs'), '--name', 'own', '-i', '5'], { env: { PORT: '0' } });
  await ok(['kill']);
  const left = readdirSync(home, { recursive: true, encoding: 'utf8' });
  t.same(
    left.filter((each) => !each.startsWith('versions') && /tmp|sock|~$/.test(each)),
    [],
  );
});

t.test('two apps of one namespace', async (t) => {
  const { ok, run, list, appNamed, pidsOf } = testHome(t, { inProcess: true });
  const [port, other] = await freePorts(2);
  for (const [name, PORT] of Object.entries({ api: port, web: other })) {
    const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', name];
    await ok([...start, '--namespace', 'shop'], { env: { PORT: String(PORT) } });
  }
  const web = await pidsOf('web');
  await ok(['stop', 'api']);
  t.equal((await appNamed('api')).status, 'stopped');
  await t.rejects(ask(port), { code: 'ECONNREFUSED' });
  t.ok(await ask(other), 'the other app serves on');
  await ok(['start', 'api']);
  t.equal((await appNamed('api')).status, 'online');
  t.ok(await ask(port));

  const slotPids = async () => (await appNamed('api')).workers.map(({ pid }) => pid);
  const [zero, one] = await slotPids();
  const { id } = (await appNamed('api')).workers[1];
  await ok(['restart', String(id)]);
  const [sameZero, newOne] = await slotPids();
  t.equal(sameZero, zero);
  t.not(newOne, one);
  await ok(['restart', 'api:0']);
  const [newZero, sameOne] = await slotPids();
  t.not(newZero, zero);
  t.equal(sameOne, newOne);
  t.same(await pidsOf('web'), web, 'the other app was left alone');

  await ok(['del', '/^ap/']);
  t.same(
    (await list()).apps.map(({ name }) => name),
    ['web'],
  );
  await ok(['stop', 'shop']);
  await ok(['start', 'all']);
  await ok(['ping']);
  await ok(['kill']);
  await t.rejects(ask(other), { code: 'ECONNREFUSED' });
  t.equal((await run(['ping'])).code, 8);
});

// Two commands for one app at the same time.

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

t.test('two starts of one program: both succeed, and one app runs', async (t) => {
  const { run, list } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()) };
  const start = ['start', app('http-pid.cjs'), '--name', 'api'];
  const ended = await Promise.all([run(start, { env }), run(start, { env })]);
  t.match(ended, [{ code: 0 }, { code: 0 }]);
  t.match(await list(), { apps: [{ name: 'api', workers: [{ restarts: 0 }] }] });
});

// A reload by cron_restart while the app is being stopped, and one to the release that a link names.

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

t.test('a reload follows the link `current` to the new version', async (t) => {
  const { root, ok } = testHome(t, { inProcess: true });
  const port = await freePort();
  for (const version of ['1', '2']) {
    copyApp('reports-main.cjs', `${root}/releases/${version}/server.cjs`);
  }
  symlinkSync('releases/1', `${root}/current`);
  await ok(['start', 'current/server.cjs', '--cwd', `${root}/current`, '--name', 'api'], {
    env: { PORT: String(port) },
  });
  const first = await ask(port);
  t.equal(first.cwd, `${root}/releases/1`);
  symlinkSync('releases/2', `${root}/next`);
  renameSync(`${root}/next`, `${root}/current`);
  await ok(['reload', 'api']);
  const second = await ask(port);
  t.equal(second.cwd, `${root}/releases/2`);
  t.match(second.argv[1], /releases\/2|current/);
});

// A new version that listens on another address of the same port needs a restart.

for (const scheduling of ['round-robin', 'fair']) {
  t.test(scheduling, async (t) => {
    const { ok, run, appNamed } = testHome(t, { inProcess: true });
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
