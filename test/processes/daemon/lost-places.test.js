/** What the daemon and the primaries need in the home directory may be removed while they run. */
import t from 'tap';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnClean } from '../../support/spawn-clean.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { isRunning } from '../../support/processes.js';
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

t.test('a log whose place a pipe has taken keeps nobody waiting', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  await daemon.ask('stop', { selectors: ['web'] });
  const logs = [daemon.paths.primaryLog, daemon.paths.daemonLog];
  for (const log of logs) {
    rmSync(log);
    execFileSync('mkfifo', [log]);
  }
  const restarted = await daemon.ask('restart', { selectors: ['web'] });
  t.match(restarted, { apps: [{ ok: true }] });
  for (const log of logs) {
    await until(() => lstatSync(log).isFile(), log);
    t.ok(lstatSync(`${log}.aside`).isFIFO(), 'which is kept');
  }
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
