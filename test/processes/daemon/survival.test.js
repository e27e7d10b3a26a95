/** What a daemon finds when the one before it, primaries or the whole machine have ended, also of damaged files. */
import { once } from 'node:events';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t from 'tap';
import { isDaemonNeeded } from '../../../src/daemon/run.js';
import { ensureHome } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { isRunning, killAll, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';
import {
  daemonUnderTest,
  killNow,
  killed,
  pidsOf,
  startedDaemon,
  webSpec,
} from '../daemon-under-test.js';

// Each waits for the next daemon most of the time: they do so together.
t.jobs = 3;

t.test('a primary starts the next daemon, which finds everything', async (t) => {
  const web = await webSpec({ name: 'web' });
  const off = await webSpec({ name: 'off', instances: 1 });
  const daemon = await startedDaemon(t, [web, off]);
  await daemon.ask('stop', { selectors: ['off', 'web:1'] });
  let before = await daemon.ask('list');
  const shape = ({ apps }) => apps.map((app) => [app.name, app.status, ...pidsOf(app)]);
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT']) {
    process.kill(before.daemon.pid, signal);
    await until(() => !isRunning(before.daemon.pid), 'the daemon to exit');
    const after = await daemon.ask('list');
    t.not(after.daemon.pid, before.daemon.pid, signal);
    t.strictSame(shape(after), shape(before), 'the same pids, and stopped ones stay stopped');
    before = after;
  }
  const { primaryPid } = before.apps[0];
  killNow(primaryPid);
  const { workers } = await daemon.replaced(primaryPid);
  t.equal(workers[1].status, 'stopped', 'a stopped worker stays stopped');
  await daemon.ask('kill');
  await until(() => processesOf(daemon.root).length === 0, 'everything to end');
});

t.test('a second signal does not end it before everything is saved', async (t) => {
  const daemon = await startedDaemon(t);
  const client = net.connect({ path: daemon.paths.daemonSocket, allowHalfOpen: true });
  t.teardown(() => client.destroy());
  await once(client, 'connect');
  await daemon.ask('list');
  daemon.child.kill('SIGTERM');
  await until(() => daemon.log().includes('daemon.ending'), 'it to wait for that client');
  daemon.child.kill('SIGTERM');
  t.strictSame(await once(daemon.child, 'exit'), [null, 'SIGKILL']);
  t.match(daemon.log(), /daemon\.ended/);
});

t.test('the next daemon keeps TZ, so cron_restart keeps its hours', async (t) => {
  const daemon = daemonUnderTest(t);
  const timeZone = 'Pacific/Kiritimati';
  const first = await daemon.start({ TZ: timeZone });
  const now = new Date().toLocaleString('en', { timeZone, hour: 'numeric', hourCycle: 'h23' });
  const cronRestart = `*/2 * ${Number(now)},${(Number(now) + 1) % 24} * * *`;
  await daemon.ask('start', { specs: [await webSpec({ instances: 1, cronRestart })] });
  await killed(first.pid);
  const { generation } = await daemon.view('web');
  await until(async () => (await daemon.view('web')).generation > generation, 'a reload');
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
  const before = await daemon.view('web');
  const [{ spec }] = daemon.saved();
  writeFileSync(daemon.paths.desired, 'garbage');
  rmSync(`${daemon.paths.desired}.copy`);
  await killed(daemon.child.pid);
  const { daemon: second, apps } = await daemon.ask('list');
  const [{ primaryPid }] = apps;
  t.strictSame(pidsOf(apps[0]), pidsOf(before), 'no worker is touched');

  killNow(second.pid);
  killNow(primaryPid);
  await killed(second.pid);
  daemon.spawnDaemon();
  const { workers } = await daemon.replaced(primaryPid);
  t.match(workers, [{ status: 'online' }, { status: 'stopped' }, { status: 'online' }]);
  t.strictSame(daemon.saved()[0].spec, spec);
});

t.test('an app that desired.json lost goes on when it changes while it is adopted', async (t) => {
  const specs = [await webSpec({ scheduling: 'round-robin', minUptimeMs: 0 })];
  specs.push(await webSpec({ name: 'late', scheduling: 'round-robin', instances: 1 }));
  const daemon = await startedDaemon(t, specs);
  const before = await daemon.view('web');
  const { primaryPid: late } = await daemon.view('late');
  writeFileSync(daemon.paths.desired, 'garbage');
  rmSync(`${daemon.paths.desired}.copy`);
  // While it is waited for, no app is adopted.
  process.kill(late, 'SIGSTOP');
  await killed(daemon.child.pid);
  await until(() => {
    const open = `/proc/${daemonPid(daemon.home)}/fd`;
    const links = readdirSync(open).map((fd) => readlinkSync(`${open}/${fd}`));
    return links.filter((link) => link.startsWith('socket')).length > 1;
  }, 'the daemon that the primary of web starts to follow it');
  for (const pid of pidsOf(before)) killNow(pid);
  const after = await daemon.online();
  t.equal(after.primaryPid, before.primaryPid);
  t.notMatch(daemon.log(), /primary\.twice/);
  t.equal(daemon.log().match(/"worker\.exited".*"app":"web"/g)?.length, 2, 'both exits are known');
});

t.test('while a stranger listens in place of a primary, none is started', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  const { primaryPid } = await daemon.view('web');
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
  await daemon.replaced(primaryPid);
});

t.test('after a reboot, apps start after those that they depend on', async (t) => {
  const daemon = await startedDaemon(t);
  const [interpreter, away] = ['node', 'away'].map((name) => path.join(daemon.root, name));
  symlinkSync(process.execPath, interpreter);
  const specs = [
    await webSpec({ name: 'web', instances: 1, dependsOn: { api: 'ready' } }),
    await webSpec({ name: 'api', instances: 1, dependsOn: { db: 'ready' } }),
    await webSpec({ name: 'db', instances: 1 }),
    await webSpec({ name: 'broken', instances: 1, interpreter }),
    await webSpec({ name: 'late', instances: 1, dependsOn: { broken: 'ready' } }),
  ];
  await daemon.ask('start', { specs });
  renameSync(interpreter, away);
  await killAll(daemon.root);
  const earlier = daemon.log().length;
  daemon.spawnDaemon();
  for (const name of ['late', 'web']) await daemon.online(name);
  const lines = daemon.log().slice(earlier).trim().split('\n').map(JSON.parse);
  const started = lines.filter(({ event }) => event === 'primary.started').map(({ app }) => app);
  t.strictSame(
    started.filter((app) => app !== 'late'),
    ['db', 'api', 'web'],
  );
  await daemon.logged(/recovery\.failed/);
  renameSync(away, interpreter);
  t.ok(await daemon.online('broken'), 'it is retried until its interpreter is there');
});

const half = (text) => text.slice(0, text.length / 2);
/** What a power cut leaves of a file, and what is valid or endless, but was never written. */
const TORN = {
  empty: () => '',
  half,
  zeros: (text) => '\0'.repeat(text.length),
  types: () =>
    '{"pid":{},"startTime":[],"bootId":1,"socket":7,"workers":"x","spec":[1],"slots":{}}',
  list: () => '[[],{},null,{"pid":-1},{"pid":1e99}]',
  deep: () => '['.repeat(100_000),
  huge: (text) => text + ' '.repeat(20 * 1024 ** 2),
};

t.test('apps come back although every other file is damaged', async (t) => {
  const kinds = Object.keys(TORN);
  // Each has a primary of its own, and a record.
  const short = { instances: 1, scheduling: 'round-robin' };
  const daemon = await startedDaemon(
    t,
    await Promise.all(kinds.map((name) => webSpec({ name, ...short }))),
  );
  const records = kinds.map((name) => daemon.place(name).record);
  await killAll(daemon.root);
  for (const [index, record] of records.entries()) {
    const torn = TORN[kinds[index]](readFileSync(record, 'utf8'));
    writeFileSync(record, torn);
    writeFileSync(`${record}.0123456789ab.tmp`, torn);
  }
  writeFileSync(daemon.paths.service, half('{"pid":1}'));
  await daemon.start();
  for (const kind of kinds) t.ok(await daemon.online(kind), kind);
  t.equal((await daemon.ask('list')).apps.length, kinds.length);
  const left = readdirSync(daemon.home, { recursive: true }).map(String);
  t.notOk(left.find((name) => name.endsWith('.0123456789ab.tmp')));
});

t.test('a daemon that a primary started leaves nothing, unless an app should run', async (t) => {
  const daemon = await startedDaemon(t, [await webSpec({ instances: 1 })]);
  await daemon.ask('kill');
  await until(() => processesOf(daemon.root).length === 0, 'everything to end');
  const sockets = readdirSync(daemon.home).filter((name) => name.endsWith('.sock'));
  t.same(sockets, []);
  t.strictSame(await once(daemon.spawnDaemon({}, 'recovery'), 'exit'), [0, null]);

  await daemon.start();
  await daemon.ask('resurrect');
  const { daemon: first, apps } = await daemon.ask('list');
  for (const pid of [apps[0].primaryPid, first.pid]) killNow(pid);
  await until(() => processesOf(daemon.root).length <= 1, 'both to exit');
  daemon.spawnDaemon({}, 'recovery');
  t.ok(await daemon.online());
});

t.test('when a home needs a daemon', async (t) => {
  const paths = ensureHome(`${t.testdir()}/home`);
  const own = { ...identify(process.pid), socket: '-' };
  const desired = (...apps) => JSON.stringify({ apps });
  const rows = [
    ['nothing was ever started', null, null, false],
    ['every app is stopped', desired({ stopped: true }, { stopped: true }), null, false],
    ['an app should run', desired({ stopped: true }, { stopped: false }), null, true],
    ['an app is being deleted', desired({ stopped: true, deleting: true }), null, true],
    ['the desired state is damaged', '{"apps": [', null, true],
    ['a primary runs', desired({ stopped: true }), JSON.stringify(own), true],
    ['it has exited', null, JSON.stringify({ ...own, startTime: '1' }), false],
    ['its record is damaged', null, '{', true],
  ];
  const { dir, record } = paths.primary(1);
  mkdirSync(dir);
  for (const [when, state, recorded, expected] of rows) {
    for (const [file, text] of [
      [paths.desired, state],
      [record, recorded],
    ]) {
      if (text === null) rmSync(file, { force: true });
      else writeFileSync(file, text);
    }
    t.equal(isDaemonNeeded(paths), expected, when);
  }
});
