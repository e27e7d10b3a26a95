import t from 'tap';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { removeUnfinished, writeFileAtomic } from '../../src/shared/files/atomic-file.js';
import { activityOf, cpuWaitOf } from '../../src/shared/processes/activity.js';
import { identify, isAlive } from '../../src/shared/processes/identity.js';
import { launchDetached } from '../../src/shared/processes/launch.js';
import * as sockets from '../../src/shared/processes/listening-processes.js';
import { listening } from '../support/listening.js';
import * as table from '../../src/shared/processes/tcp-table.js';
import { until } from '../support/until.js';
import { ioError, replaceFs } from '../support/replaced-fs.js';

const IDENTITY = new URL('../../src/shared/processes/identity.js', import.meta.url).href;

t.test('a process is itself until it ends', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  const identity = identify(child.pid);
  if (identity === null) throw new Error('just started, and not there');
  t.ok(isAlive(identity));
  t.notOk(isAlive({ ...identity, startTime: '1' }), 'the pid of another');
  t.notOk(isAlive({ ...identity, bootId: 'before' }), 'a pid of an earlier boot');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.notOk(isAlive(identity));
  t.equal(identify(0), null);
  t.equal(identify(undefined), null);
});

t.test('a process that was killed is alive until its sockets are closed', async (t) => {
  const program = `const server = require('net').createServer();
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const connect = (port) =>
    new Promise((resolve) => {
      const client = net.connect(port, '127.0.0.1', () => resolve('connected'));
      client.once('error', ({ code }) => resolve(code)).once('connect', () => client.destroy());
    });
  for (let round = 0; round < 5; round += 1) {
    const child = spawn(process.execPath, ['-e', program]);
    const [port] = await once(child.stdout, 'data');
    const identity = identify(child.pid);
    child.kill('SIGKILL');
    while (isAlive(identity)); // Without a pause, to meet it while its threads end.
    t.equal(await connect(Number(port)), 'ECONNREFUSED');
  }
});

t.test('one failed read says nothing about a process', async (t) => {
  const identity = identify(process.pid);
  let reads = 0;
  let failing = 0;
  replaceFs(t, 'readFileSync', (read) => (file, ...rest) => {
    if (String(file).startsWith('/proc/') && ++reads === failing) throw ioError('read');
    return read(file, ...rest);
  });
  for (failing of [1, 2]) {
    reads = 0;
    t.ok(isAlive({ ...identity, uid: process.getuid() }), `read ${failing} fails`);
  }
});

t.test('while the boot is unknown, nobody is taken for dead, nor may be signalled', async (t) => {
  const identity = identify(process.pid);
  replaceFs(t, 'readFileSync', (read) => (file, ...rest) => {
    if (String(file).endsWith('/boot_id')) throw ioError('read');
    return read(file, ...rest);
  });
  const fresh = await import(`${IDENTITY}?without-boot`);
  t.ok(fresh.isAlive(identity));
  t.notOk(fresh.isCertain(identity));
  t.equal(fresh.identify(process.pid), null);
  t.notOk(fresh.isAlive({ ...identity, startTime: '1' }), 'the pid of another process');
});

t.test('an atomic write replaces the file as a whole and leaves nothing else', async (t) => {
  const file = path.join(t.testdir({ 'state.json': 'old' }), 'state.json');
  await writeFileAtomic(file, 'new');
  await Promise.all(['a', 'b', 'c'].map((text) => writeFileAtomic(file, text.repeat(10_000))));
  t.match(readFileSync(file, 'utf8'), /^(a{10000}|b{10000}|c{10000})$/);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.strictSame(readdirSync(path.dirname(file)), ['state.json']);
  await t.rejects(writeFileAtomic(path.join(file, 'below'), ''), { code: 'ENOTDIR' });
});

t.test('what writers that crashed left is removed, and nothing depends on it', async (t) => {
  const directory = t.testdir({ state: '', 'state.a1.tmp': '', 'other.a1.tmp': '' });
  removeUnfinished(path.join(directory, 'state'));
  t.same(readdirSync(directory).sort(), ['other.a1.tmp', 'state']);
  t.doesNotThrow(() => removeUnfinished(path.join(directory, 'state', 'below')));
});

const noLimit = spawnSync('prlimit', ['--version']).status !== 0 && 'needs prlimit';

t.test('out of descriptors nobody is taken for dead', { skip: noLimit }, async (t) => {
  const program = `
    const { identify, isAlive, isCertain } = await import(process.argv[1]);
    const { execFileSync, spawnSync } = await import('node:child_process');
    const parent = identify(process.ppid);
    const nobody = { ...parent, pid: spawnSync('true').pid };
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=3:']);
    process.exitCode = isAlive(parent) && !isCertain(parent) && !isAlive(nobody) ? 0 : 1;`;
  const args = ['--input-type=module', '-e', program, IDENTITY];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.equal(status, 0, stderr);
});

t.test('a process whose log cannot be opened is not launched', async (t) => {
  const log = path.join(t.testdir(), 'missing', 'daemon.log');
  const launch = () => launchDetached([process.execPath], { home: '/', log, env: {} });
  t.throws(launch, { code: 'E_HOME_WRITE', message: /daemon\.log: ENOENT/ });
});

t.test('CPU time and being stopped are seen from outside', async (t) => {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  t.teardown(() => loop.kill('SIGKILL'));
  await until(() => activityOf(loop.pid).cpuMs >= 100, 'a loop to use CPU time');
  t.equal(activityOf(loop.pid).isStopped, false);
  loop.kill('SIGSTOP');
  await until(() => activityOf(loop.pid).isStopped, 'it to be stopped');
  const { cpuMs } = activityOf(loop.pid);
  t.equal(activityOf(loop.pid).cpuMs, cpuMs);
  loop.kill('SIGKILL');
  await once(loop, 'exit');
  t.equal(activityOf(loop.pid), null);
});

const LINUX = { skip: process.platform !== 'linux' && 'needs /proc' };

t.test('a thread that ends does not hide how long others waited', LINUX, async (t) => {
  replaceFs(t, 'readdirSync', (list) => (directory) => [...list(directory), 'ended']);
  t.ok(cpuWaitOf(process.pid) > 0);
});

const findAt = (address, port) => sockets.findListeningProcesses({ address, port });

t.test('what /proc/net/tcp and tcp6 say', async (t) => {
  const text = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0',
    '   1: 00000000:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1 0',
    '   2: 0100007F:0BB8 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 0',
    '   3: 00000000000000000000000001000000:0BBB 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 14 1 0',
  ].join('\n');
  t.same(table.listeningSockets(text).map(table.addressOf), [
    '127.0.0.1:3000',
    '*:3001',
    '[::1]:3003',
  ]);
  const socketsAt = (...place) =>
    table
      .listeningSockets(text)
      .filter((socket) => sockets.isAt(socket, ...place))
      .map(({ inode, uid }) => ({ inode, uid }));
  t.same(socketsAt(undefined, 3000), [{ inode: '11', uid: 1000 }]);
  t.same(socketsAt('127.0.0.1', 3000), [{ inode: '11', uid: 1000 }]);
  t.same(socketsAt('10.0.0.9', 3000), [], 'another address of the port is free');
  t.same(socketsAt('10.0.0.9', 3001), [{ inode: '12', uid: 1000 }]);
  t.same(socketsAt(undefined, 3002), []);
});

t.test('what /proc/net/unix says', async (t) => {
  const text = [
    'Num       RefCount Protocol Flags    Type St Inode Path',
    '0000000000000000: 00000002 00000000 00010000 0001 01 21 /run/api.sock',
    '0000000000000000: 00000003 00000000 00000000 0001 03 22 /run/api.sock',
  ].join('\n');
  t.same(table.listeningFiles(text), [{ inode: '21', file: '/run/api.sock' }]);
});

t.test('a process that listens', LINUX, async (t) => {
  const socket = path.join(t.testdir(), 's');
  const port = await listening(t, net.createServer());
  await listening(t, net.createServer(), { path: socket });
  const found = findAt(undefined, port);
  t.equal(found.processes.length, 1);
  t.match(found, { isOfOthers: false, processes: [{ pid: process.pid, commandLine: /node/ }] });
  t.match(findAt(socket).processes, [{ pid: process.pid }]);
  t.same(findAt(undefined, 1).processes, []);
});
