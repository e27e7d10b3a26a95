import t from 'tap';
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { isRunning, killAll, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { daemonUnderTest, killNow, killed, startedDaemon, webSpec } from '../daemon-under-test.js';

// Each waits for the next daemon most of the time: they do so together.
t.jobs = 3;

const pidsOf = ({ workers }) => workers.map(({ pid }) => pid);

t.test(
  'when the daemon is killed, a primary starts the next one, which finds everything',
  async (t) => {
    const web = await webSpec({ name: 'web' });
    const off = await webSpec({ name: 'off', instances: 1 });
    const daemon = await startedDaemon(t, [web, off]);
    await daemon.ask('stop', { selectors: ['off', 'web:1'] });
    const before = await daemon.ask('list');
    await killed(before.daemon.pid);
    const after = await daemon.ask('list');
    t.not(after.daemon.pid, before.daemon.pid);
    const shape = ({ apps }) =>
      apps.map(({ name, status, workers }) => [
        name,
        status,
        workers.map(({ id, pid }) => [id, pid]),
      ]);
    t.strictSame(
      shape(after),
      shape(before),
      'the same apps and pids, and stopped ones stay stopped',
    );

    killNow(after.apps[0].primaryPid);
    const replaced = await until(async () => {
      const view = await daemon.view('web');
      return (
        view.primaryPid !== after.apps[0].primaryPid && view.workers[0].status === 'online' && view
      );
    }, 'another primary');
    t.equal(replaced.workers[1].status, 'stopped', 'a stopped worker stays stopped');
  },
);

t.test('only kill ends a home: after SIGTERM, a primary starts the next daemon', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec()]);
  let before = await daemon.ask('list');
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.kill(before.daemon.pid, signal);
    await until(() => !isRunning(before.daemon.pid), 'the daemon to exit');
    const after = await daemon.ask('list');
    t.not(after.daemon.pid, before.daemon.pid, signal);
    t.strictSame(pidsOf(after.apps[0]), pidsOf(before.apps[0]));
    before = after;
  }
  await daemon.ask('kill');
  await until(() => processesOf(daemon.root).length === 0, 'everything to end');
});

t.test('a second signal does not end it before everything is saved', async (t) => {
  const daemon = daemonUnderTest(t);
  const child = daemon.spawnDaemon();
  await daemon.ask('list');
  const client = net.connect({ path: daemon.paths.daemonSocket, allowHalfOpen: true });
  await once(client, 'connect');
  await daemon.ask('list');
  child.kill('SIGTERM');
  await until(() => daemon.log().includes('daemon.ending'), 'it to wait for that client');
  child.kill('SIGTERM');
  t.strictSame(await once(child, 'exit'), [null, 'SIGKILL']);
  t.match(daemon.log(), /daemon\.ended/);
  client.destroy();
});

t.test('the next daemon keeps TZ, so cron_restart keeps its hours', async (t) => {
  const daemon = daemonUnderTest(t);
  const timeZone = 'Pacific/Kiritimati';
  await daemon.start({ TZ: timeZone });
  const now = new Date().toLocaleString('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  const cronRestart = `*/2 * ${Number(now)},${(Number(now) + 1) % 24} * * *`;
  await daemon.ask('start', { specs: [await webSpec({ instances: 1, cronRestart })] });
  const { daemon: first } = await daemon.ask('list');
  await killed(first.pid);
  const { generation } = await daemon.view('web');
  await until(async () => (await daemon.view('web')).generation > generation + 1, 'two reloads');
});

t.test('when daemon and primary are killed, the next daemon starts the app again', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const before = await daemon.ask('list');
  killNow(before.daemon.pid);
  killNow(before.apps[0].primaryPid);
  await until(() => !isRunning(before.daemon.pid), 'the daemon to exit');
  const second = daemon.spawnDaemon();
  await until(async () => (await daemon.view('web')).status === 'online', 'the app to be back');
  const third = daemon.spawnDaemon();
  t.strictSame(await once(third, 'exit'), [0, null], 'a second daemon exits quietly');

  const { primaryPid, ...view } = await daemon.view('web');
  second.kill('SIGTERM');
  t.strictSame(await once(second, 'exit'), [null, 'SIGKILL']);
  t.ok(isRunning(primaryPid), 'the app keeps running');
  daemon.spawnDaemon();
  t.strictSame(pidsOf(await daemon.view('web')), pidsOf(view));

  const { daemon: last } = await daemon.ask('list');
  rmSync(`${daemon.paths.desired}.copy`);
  writeFileSync(daemon.paths.desired, '{"format": 1, "apps": [');
  await killed(last.pid);
  t.strictSame(pidsOf(await daemon.view('web')), pidsOf(view), 'found without desired.json');
  t.strictSame(await daemon.ask('kill'), { apps: ['web'], remembered: ['web'] });
  await until(() => !isRunning(primaryPid), 'the primary to exit');
});

t.test('an app that desired.json lost is recorded again as it runs now', async (t) => {
  const web = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [web]);
  await daemon.ask('scale', { selector: 'web', instances: '3' });
  const changed = { ...web, instances: 3, env: { ...web.env, VERSION: '2' }, maxRestarts: 7 };
  t.match(await daemon.ask('apply', { specs: [changed], action: 'apply' }), {
    apps: [{ ok: true }],
  });
  await daemon.ask('stop', { selectors: ['web:1'] });
  const before = await daemon.ask('list');
  const { spec } = JSON.parse(daemon.desired()).apps[0];
  writeFileSync(daemon.paths.desired, 'garbage');
  rmSync(`${daemon.paths.desired}.copy`);
  await killed(before.daemon.pid);
  const { daemon: second, apps } = await daemon.ask('list');
  t.strictSame(pidsOf(apps[0]), pidsOf(before.apps[0]), 'no worker is touched');

  killNow(second.pid);
  killNow(apps[0].primaryPid);
  await until(() => !isRunning(second.pid), 'the daemon to exit');
  daemon.spawnDaemon();
  const back = await until(async () => {
    const view = await daemon.view('web');
    return view?.status === 'online' && view.primaryPid !== apps[0].primaryPid && view;
  }, 'the app to be back');
  t.strictSame(
    back.workers.map(({ status }) => status),
    ['online', 'stopped', 'online'],
  );
  t.strictSame(JSON.parse(daemon.desired()).apps[0].spec, spec);
});

t.test(
  'after a damaged desired.json, what was stopped or deleted last does not start',
  async (t) => {
    const names = ['web', 'deleted', 'stopped'];
    const specs = await Promise.all(names.map((name) => webSpec({ name, instances: 1 })));
    const daemon = await startedDaemon(t, specs);
    const damage = async () => {
      const { daemon: before } = await daemon.ask('list');
      writeFileSync(daemon.paths.desired, daemon.desired().slice(0, -20));
      await killed(before.pid);
      // On a busy machine a primary may answer late.
      const { apps, notes } = await until(async () => {
        const list = await daemon.ask('list');
        return list.apps.every(({ status }) => status !== 'unknown') && list;
      }, 'what the apps do to be known');
      t.match(notes, [/Its copy is used/]);
      return apps.map(({ name, status }) => `${name} ${status}`);
    };
    await daemon.ask('delete', { selectors: ['deleted'] });
    t.strictSame(await damage(), ['web online', 'stopped online']);
    await daemon.ask('stop', { selectors: ['stopped'] });
    t.strictSame(await damage(), ['web online', 'stopped stopped']);
    t.match(JSON.parse(daemon.desired()).apps, [{ stopped: false }, { stopped: true }]);
  },
);

t.test('a primary with a damaged record is found by its socket', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const { record } = daemon.place();
  const damages = [() => {}, () => writeFileSync(record, 'garbage'), () => mkdirSync(record)];
  for (const damage of damages) {
    const before = await daemon.ask('list');
    rmSync(record, { recursive: true, force: true });
    damage();
    await killed(before.daemon.pid);
    const [web] = (await daemon.ask('list')).apps;
    t.equal(web.primaryPid, before.apps[0].primaryPid);
    t.strictSame(pidsOf(web), pidsOf(before.apps[0]));
  }
  t.match(await daemon.ask('delete', { selectors: ['web'] }), { apps: [{ ok: true }] });
});

t.test('while a stranger listens in place of a primary, none is started', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const before = await daemon.ask('list');
  const { socket } = daemon.place();
  await killAll(daemon.root);
  unlinkSync(socket);
  const stranger = net.createServer().listen(socket);
  await once(stranger, 'listening');
  daemon.spawnDaemon();
  t.match(await daemon.view('web'), { status: 'unknown', primaryPid: null, note: socket });
  t.match(await daemon.ask('restart', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /could not find out/ }] }],
  });
  stranger.close();
  await until(async () => (await daemon.view('web')).status === 'online', 'the app to be back');
  t.not((await daemon.view('web')).primaryPid, before.apps[0].primaryPid);
});

t.test('after a reboot, apps start after those that they depend on', async (t) => {
  const daemon = await startedDaemon(t);
  const interpreter = path.join(daemon.root, 'node');
  symlinkSync(process.execPath, interpreter);
  const specs = [
    await webSpec({ name: 'web', instances: 1, dependsOn: { api: 'ready' } }),
    await webSpec({ name: 'api', instances: 1, dependsOn: { db: 'ready' } }),
    await webSpec({ name: 'db', instances: 1 }),
    await webSpec({ name: 'broken', instances: 1, interpreter }),
    await webSpec({ name: 'late', instances: 1, dependsOn: { broken: 'ready' } }),
  ];
  await daemon.ask('start', { specs });
  rmSync(interpreter);
  await killAll(daemon.root);
  const earlier = daemon.log().length;
  daemon.spawnDaemon();
  for (const name of ['late', 'web'])
    await until(async () => (await daemon.view(name)).status === 'online', `${name} to be back`);
  const records = daemon
    .log()
    .slice(earlier)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const started = records.filter(({ event }) => event === 'primary.started').map(({ app }) => app);
  t.strictSame(
    started.filter((app) => app !== 'late'),
    ['db', 'api', 'web'],
  );
});

t.test('an app is retried until its interpreter is there', async (t) => {
  const daemon = await startedDaemon(t);
  const [interpreter, away] = ['node', 'away'].map((name) => path.join(daemon.root, name));
  symlinkSync(process.execPath, interpreter);
  await daemon.ask('start', { specs: [await webSpec({ instances: 1, interpreter })] });
  const before = await daemon.ask('list');
  renameSync(interpreter, away);
  killNow(before.daemon.pid);
  killNow(before.apps[0].primaryPid);
  await until(() => !isRunning(before.daemon.pid), 'the daemon to exit');
  daemon.spawnDaemon();
  await daemon.logged(/recovery\.failed/);
  renameSync(away, interpreter);
  await until(async () => (await daemon.view('web')).status === 'online', 'the app to be back');
});
