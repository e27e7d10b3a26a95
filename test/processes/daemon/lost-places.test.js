/** What the daemon and the primaries need may be removed, damaged, or full while they run. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { identify } from '../../../src/shared/processes/identity.js';
import { spawnDetached } from '../../../src/shared/processes/launch.js';
import { commandOf, isRunning, processesOf } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';
import {
  daemonUnderTest,
  killNow,
  killed,
  pidsOf,
  startedDaemon,
  webSpec,
} from '../daemon-under-test.js';

t.jobs = 3;

const shapeOf = ({ daemon, apps: [app] }) => [daemon.pid, app.primaryPid, ...pidsOf(app)];

t.test('the daemon listens again and takes its lock again', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const client = await daemon.dial();
  const before = await client.request('list', {});
  unlinkSync(daemon.paths.daemonSocket);
  const [lock] = readdirSync(daemon.home).filter((name) => name.startsWith('daemon.lock'));
  unlinkSync(path.join(daemon.home, lock));
  t.strictSame(shapeOf(await daemon.ask('list')), shapeOf(before), 'reached by its path');
  t.strictSame(shapeOf(await client.request('list', {})), shapeOf(before), 'and as before');
  await until(() => lstatSync(path.join(daemon.home, lock)), 'the lock');
  const second = daemon.spawnDaemon();
  t.strictSame(await once(second, 'exit'), [0, null], 'a second daemon exits quietly');
});

t.test('a home that could not be read for a moment has the same daemon', async (t) => {
  const daemon = daemonUnderTest(t);
  const marker = path.join(daemon.root, 'fails');
  const preload = fileURLToPath(new URL('../../fixtures/fails-a-read.cjs', import.meta.url));
  const { pid } = await daemon.start({ NODE_OPTIONS: `--require=${preload}`, FAILS_READ: marker });
  writeFileSync(marker, '');
  // So that it looks at once.
  writeFileSync(path.join(daemon.home, 'changed'), '');
  await until(() => readFileSync(marker, 'utf8').length > 0, 'a failed read');
  await daemon.logged(/home\.unusable/);
  t.equal((await daemon.ask('list')).daemon.pid, pid);
  t.notMatch(daemon.log(), 'daemon.superseded');
});

t.test('a desired state that something else has damaged is written again', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  await daemon.ask('stop', { selectors: ['web'] });
  const { desired } = daemon.paths;
  const saved = readFileSync(desired, 'utf8');
  writeFileSync(desired, '');
  await until(() => readFileSync(desired, 'utf8') === saved, 'the state');
  writeFileSync(desired, Buffer.alloc(100));
  t.match(await daemon.ask('delete', { selectors: ['web'] }), { apps: [{ ok: true }] });
  t.match(JSON.parse(readFileSync(desired, 'utf8')), { apps: [] });
});

t.test('sockets whose places are taken, and a record that is wrong, are put right', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const before = await daemon.ask('list');
  const { socket, handover } = daemon.place();
  const sockets = [daemon.paths.daemonSocket, socket, handover];
  for (const file of sockets) {
    unlinkSync(file);
    mkdirSync(path.join(file, 'of-a-user'), { recursive: true });
  }
  for (const file of sockets) await until(() => lstatSync(file).isSocket(), file);
  t.strictSame(shapeOf(await daemon.ask('list')), shapeOf(before));
  t.ok(existsSync(path.join(`${socket}.aside`, 'of-a-user')), 'which is kept');

  const { record } = daemon.place();
  const own = readFileSync(record, 'utf8');
  writeFileSync(record, JSON.stringify({ ...JSON.parse(own), startTime: '1' }));
  await until(() => readFileSync(record, 'utf8') === own, 'a record of a process that has exited');
});

t.test('a directory in the place of daemon.log keeps no daemon from starting', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const before = await daemon.ask('list');
  const { daemonLog } = daemon.paths;
  await killed(before.daemon.pid);
  rmSync(daemonLog);
  mkdirSync(path.join(daemonLog, 'of-a-user'), { recursive: true });
  const after = await daemon.ask('list');
  t.equal(after.apps[0].primaryPid, before.apps[0].primaryPid);
  t.ok(existsSync(path.join(`${daemonLog}.aside`, 'of-a-user')), 'which is kept');
});

t.test('a removed home directory is made again, with the state of its apps', async (t) => {
  const web = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [web]);
  const before = await daemon.ask('list');
  const { record, socket, handover } = daemon.place();
  // What writes there meanwhile makes files anew.
  await until(() => rmSync(daemon.home, { recursive: true, force: true }) ?? true, 'its removal');
  t.strictSame(shapeOf(await daemon.ask('list')), shapeOf(before));
  for (const file of [daemon.paths.desired, socket, handover, record]) {
    await until(() => lstatSync(file), file);
  }
  await killed(before.daemon.pid);
  const after = await daemon.ask('list');
  t.equal(after.apps[0].primaryPid, before.apps[0].primaryPid, 'the next daemon finds the app');
  t.match(await daemon.ask('kill'), { apps: ['web'] });
});

t.test('a daemon whose lock another one holds leaves, and the apps go on', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const before = await daemon.ask('list');
  const other = spawnClean('sleep', ['1000'], { stdio: 'ignore' });
  t.teardown(() => killNow(other.pid));
  const { pid, bootId, startTime } = identify(other.pid);
  symlinkSync(`${pid} ${bootId} ${startTime}`, path.join(daemon.home, 'daemon.lock.99'));
  t.strictSame(await once(daemon.child, 'exit'), [null, 'SIGKILL']);
  t.notOk(existsSync(daemon.paths.daemonSocket));
  t.ok(isRunning(before.apps[0].primaryPid));
  killNow(other.pid);
  const after = await daemon.ask('list');
  t.equal(after.apps[0].primaryPid, before.apps[0].primaryPid);
});

t.test('changes that cannot be saved are rolled back, except stops', async (t) => {
  const web = await webSpec({ instances: 1 });
  const daemon = await startedDaemon(t, [web, await webSpec({ name: 'off', instances: 1 })]);
  await daemon.ask('stop', { selectors: ['off'] });
  const before = await daemon.view('web');
  // No file can take the place of a folder, as on a full disk.
  const fill = () => {
    rmSync(daemon.paths.desired);
    mkdirSync(daemon.paths.desired);
  };
  fill();
  const unwritten = { ok: false, failed: [{ slot: null, reason: /could not write.*desired/i }] };
  const orders = [
    ['start', { specs: [{ ...web, name: 'new' }] }],
    ['scale', { selector: 'web', instances: '3' }],
    ['resume', { selectors: ['off'] }],
    ['reload', { selectors: ['all'] }],
    ['apply', { specs: [{ ...web, maxRestarts: 3 }], action: 'reload' }],
  ];
  for (const [method, params] of orders) {
    for (const outcome of (await daemon.ask(method, params)).apps) {
      t.match(outcome, unwritten, method);
    }
  }
  const { apps } = await daemon.ask('list', { selectors: ['all'], fields: ['details'] });
  t.equal(apps.length, 2);
  t.match(apps, [
    {
      ...{ name: 'web', instances: 1, generation: 1, status: 'online' },
      spec: { maxRestarts: web.maxRestarts },
      workers: [{ pid: before.workers[0].pid }],
    },
    { name: 'off', status: 'stopped' },
  ]);
  t.match(await daemon.ask('stop', { selectors: ['web'] }), {
    apps: [{ ok: false, failed: [{ slot: null, reason: /could not be saved to .*desired/ }] }],
  });
  t.match(await daemon.view('web'), { status: 'stopped', primaryPid: null });
  t.match(await daemon.ask('delete', { selectors: ['off'] }), {
    apps: [
      { ok: false, failed: [{ slot: null, reason: /delete is done, but could not be saved/ }] },
    ],
  });
  t.match(await daemon.ask('list'), { apps: [{ name: 'web', status: 'stopped' }] });
  rmdirSync(daemon.paths.desired);
  const isSaved = () => String(daemon.saved().map(({ spec, stopped }) => [spec.name, stopped]));
  await until(
    () => isSaved() === 'web,true',
    'the daemon to save the stop and the delete by itself',
  );
  fill();
  await t.rejects(daemon.ask('kill'), { code: 'E_END_UNWRITTEN', data: { during: 'kill' } });
  await until(() => processesOf(daemon.root).length === 0, 'the daemon to end');
});

t.test('the daemon of an init system starts without its file', async (t) => {
  const daemon = daemonUnderTest(t);
  mkdirSync(daemon.home, { mode: 0o700 });
  mkdirSync(daemon.paths.service);
  daemon.spawnDaemon({ NODECLUSTER_SERVICE: 'test' });
  t.match(await daemon.ask('list'), { apps: [] });
  t.match(daemon.log(), /service\.unrecorded/);
});

const skip = process.platform !== 'linux' && 'prlimit(1) and /proc are part of Linux';

t.test('an app whose primary could not be started is started later', { skip }, async (t) => {
  const daemon = await startedDaemon(t);
  const { pid } = daemon.child;
  const limitTo = (count) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${count}:`]);
  limitTo(readdirSync(`/proc/${pid}/fd`).length + 3);
  const { apps } = await daemon.ask('start', { specs: [await webSpec({ instances: 1 })] });
  t.match(apps, [{ ok: false, failed: [{ reason: /could not be started: .*EMFILE/ }] }]);
  t.match(await daemon.view('web'), { status: 'errored', primaryPid: null });
  limitTo(1000);
  await daemon.online();
  t.equal((await daemon.ask('ping')).pid, pid);
});

t.test('a process that outlives its parent has a small heap', async (t) => {
  const command = [process.execPath, '-p', 'process.execArgv[0]'];
  const child = spawnDetached(command, { cwd: '/', env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = await once(child.stdout, 'data');
  t.equal(String(text).trim(), '--optimize-for-size');
});

t.test('no worker inherits that', { skip }, async (t) => {
  const fork = { execMode: 'fork', interpreter: process.execPath, instances: 1 };
  const specs = [await webSpec(), await webSpec({ name: 'lone', ...fork })];
  const daemon = await startedDaemon(t, specs);
  const { apps } = await daemon.ask('list');
  for (const { pid } of apps.flatMap(({ workers }) => workers)) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    t.match(commandOf(pid), /node /);
    t.notMatch(`${commandOf(pid)} ${environment}`, /optimize-for-size|MALLOC_/);
  }
});
