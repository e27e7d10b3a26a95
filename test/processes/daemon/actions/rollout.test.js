/** A rollout is saved before the primary gets it, so the next daemon finds out what really runs. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { connect } from '../../../../src/protocol/client.js';
import { app as fixture } from '../../../support/home.js';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { daemonUnderTest, killNow, startedDaemon, webSpec } from '../../daemon-under-test.js';

const exited = (pid) => until(() => !isRunning(pid), `${pid} to exit`);

/** An app whose reload has begun: the worker of the second version does not say 'ready' yet. */
async function reloading(t) {
  const daemon = daemonUnderTest(t);
  const first = await daemon.start();
  const folder = (name) => path.join(daemon.root, name);
  const tellReady = (name) => writeFileSync(path.join(folder(name), 'READY_0'), '');
  for (const name of ['one', 'two']) mkdirSync(folder(name));
  tellReady('one');
  const ready = { waitReady: true, listenTimeoutMs: 600_000, instances: 1 };
  const one = await webSpec({ script: fixture('ready-when-file-exists.cjs'), ...ready });
  one.env.FOLDER = folder('one');
  const two = { ...one, env: { ...one.env, FOLDER: folder('two') } };
  t.match(await daemon.ask('start', { specs: [one] }), { apps: [{ ok: true }] });
  const { primaryPid } = await daemon.view('web');
  const reloaded = daemon.ask('apply', { specs: [two], action: 'reload' });
  reloaded.catch(() => {});
  await until(() => existsSync(path.join(folder('two'), 'LISTENS_0')), 'the second version');
  const folderShown = async () => {
    const { apps } = await daemon.ask('env', { selectors: ['web'] });
    return path.basename(apps[0].env.FOLDER.value);
  };
  const desired = () => JSON.parse(daemon.desired()).apps[0];
  return { ...daemon, first, primaryPid, two, reloaded, tellReady, folderShown, desired };
}

for (const withDaemon of [false, true]) {
  const who = withDaemon ? 'daemon and primary' : 'the primary';
  t.test(`${who} killed during a reload: the failed reload is not completed later`, async (t) => {
    const app = await reloading(t);
    if (withDaemon) killNow(app.first.pid);
    killNow(app.primaryPid);
    if (withDaemon) {
      await exited(app.first.pid);
      app.spawnDaemon();
    } else {
      t.match(await app.reloaded, { apps: [{ ok: false }] });
    }
    await until(async () => {
      const { primaryPid, status } = await app.view('web');
      return primaryPid !== app.primaryPid && status === 'online';
    }, 'the first version to be back');

    const { pid } = await app.ask('ping');
    killNow(pid);
    await exited(pid);
    app.spawnDaemon();
    await app.dial();
    await until(() => app.desired().rollout === null, 'the next daemon to know what runs');
    t.equal(await app.folderShown(), 'one');
    const { plan } = await app.ask('apply', { specs: [app.two], action: 'reload', dryRun: true });
    t.match(plan, [{ action: 'reload' }], 'the second version is still to come');
  });
}

t.test('the next daemon learns how a reload ended', async (t) => {
  const app = await reloading(t);
  app.first.kill('SIGTERM');
  t.strictSame(await once(app.first, 'exit'), [null, 'SIGKILL']);
  t.match(app.desired().rollout, { generation: 2 }, 'the rollout is saved');
  const files = () => readdirSync(app.home).filter((name) => name.endsWith('.tmp'));
  t.strictSame(files(), []);

  const leftover = `${app.paths.desired}.0123456789ab.tmp`;
  writeFileSync(leftover, '{"format":');
  app.spawnDaemon();
  await app.dial();
  await until(() => !existsSync(leftover), 'an unfinished file to be removed');
  app.tellReady('two');
  await until(async () => (await app.folderShown()) === 'two', 'the reload to be known');
  t.equal((await app.view('web')).primaryPid, app.primaryPid);
});

t.test('settings that a primary missed reach it when it is found', async (t) => {
  const spec = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [spec]);
  const { child: first } = daemon;
  const { primaryPid } = await daemon.view('web');
  process.kill(primaryPid, 'SIGSTOP');
  killNow(first.pid);
  await exited(first.pid);
  // As if the daemon had died between the write and the request.
  const written = JSON.parse(daemon.desired());
  written.apps[0].spec.maxRestarts = 3;
  writeFileSync(daemon.paths.desired, JSON.stringify(written));
  daemon.spawnDaemon();
  await until(async () => (await daemon.view('web')).status === 'unknown', 'it to be unknown');

  const specs = [{ ...spec, maxRestarts: 3, killTimeoutMs: 20_000 }];
  t.match(await daemon.ask('apply', { specs, action: 'apply' }), {
    apps: [{ action: 'configure', ok: false, failed: [{ reason: /does not answer/ }] }],
  });
  t.match(await daemon.ask('scale', { selector: 'web', instances: '2' }), {
    apps: [{ ok: false }],
  });
  const { spec: kept, slots } = JSON.parse(daemon.desired()).apps[0];
  t.match({ ...kept, slots }, { killTimeoutMs: spec.killTimeoutMs, instances: 1, slots: [0] });

  process.kill(primaryPid, 'SIGCONT');
  const { socket } = daemon.place();
  const client = await connect(socket, {
    hello: { role: 'test', version: '0' },
    timeoutMs: 30_000,
  });
  t.teardown(() => client.close());
  let state;
  const onNotification = (kind, payload) => kind === 'state' && (state = payload);
  client.on('notification', onNotification);
  await client.request('subscribe', {}, { onNotification });
  await until(() => state.spec.maxRestarts === 3, 'the primary to have the settings');
  t.match(state, {
    generation: 1,
    pid: primaryPid,
    spec: { killTimeoutMs: spec.killTimeoutMs },
    slots: [{ generation: 1, restarts: 0 }],
  });
});

t.test('an interrupted restart with another primary is completed', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const { child: first } = daemon;
  const { primaryPid } = await daemon.view('web');
  first.kill('SIGTERM');
  await once(first, 'exit');
  // As if the daemon had died between the write and the request.
  const written = JSON.parse(daemon.desired());
  written.apps[0].spec.scheduling = 'round-robin';
  written.apps[0].generation += 1;
  writeFileSync(daemon.paths.desired, JSON.stringify(written));
  daemon.spawnDaemon();
  await until(async () => {
    const view = await daemon.view('web');
    return view.primaryPid !== primaryPid && view.status === 'online';
  }, 'another primary');
  const { apps } = await daemon.ask('list', { selectors: ['web'], fields: ['details'] });
  t.match(apps, [{ generation: 2, scheduling: 'round-robin' }]);
  await exited(primaryPid);
});
