import t from 'tap';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { removeUnfinished, writeFileAtomic } from '../../src/shared/files/atomic-file.js';
import { identify, isAlive } from '../../src/shared/processes/identity.js';
import { launchDetached } from '../../src/shared/processes/launch.js';
import { VERSION } from '../../src/shared/version.js';

const IDENTITY = new URL('../../src/shared/processes/identity.js', import.meta.url).href;

t.test('a process is itself until it ends', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  const identity = identify(/** @type {number} */ (child.pid));
  if (identity === null) throw new Error('just started, and not there');
  t.ok(isAlive(identity));
  t.notOk(isAlive({ ...identity, startTime: '1' }), 'the pid of another');
  t.notOk(isAlive({ ...identity, bootId: 'before' }), 'a pid of an earlier boot');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.notOk(isAlive(identity));
  t.equal(identify(0), null);
  t.equal(identify(/** @type {any} */ (undefined)), null);
});

t.test('a process that was killed is alive until its sockets are closed', async (t) => {
  const program = `const server = require('net').createServer();
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const connect = (/** @type {number} */ port) =>
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
  const { readFileSync: read } = fs;
  t.teardown(() => {
    fs.readFileSync = read;
    syncBuiltinESMExports();
  });
  for (const failing of [1, 2]) {
    let reads = 0;
    fs.readFileSync = (file, ...rest) => {
      const isFailing = String(file).startsWith('/proc/') && ++reads === failing;
      if (isFailing) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
      return read(file, ...rest);
    };
    syncBuiltinESMExports();
    t.ok(isAlive({ ...identity, uid: process.getuid() }), `read ${failing} fails`);
  }
});

t.test(
  'while the boot cannot be identified, nobody is taken for dead, nor may be signalled',
  async (t) => {
    const identity = identify(process.pid);
    const { readFileSync: read } = fs;
    t.teardown(() => {
      fs.readFileSync = read;
      syncBuiltinESMExports();
    });
    fs.readFileSync = (file, ...rest) => {
      if (String(file).endsWith('/boot_id')) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return read(file, ...rest);
    };
    syncBuiltinESMExports();
    const fresh = await import(`${IDENTITY}?without-boot`);
    t.ok(fresh.isAlive(identity));
    t.notOk(fresh.isCertain(identity));
    t.equal(fresh.identify(process.pid), null);
    t.notOk(fresh.isAlive({ ...identity, startTime: '1' }), 'the pid of another process');
  },
);

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

t.test('the version is that of the package', async (t) => t.match(VERSION, /^\d+\.\d+\.\d+/));

t.test(
  'out of descriptors nobody is taken for dead, nor may be signalled',
  {
    skip: spawnSync('prlimit', ['--version']).status !== 0 && 'needs prlimit',
  },
  async (t) => {
    const program = `
    const { identify, isAlive, isCertain } = await import(process.argv[1]);
    const { execFileSync, spawnSync } = await import('node:child_process');
    const parent = identify(process.ppid);
    const nobody = { ...parent, pid: spawnSync('true').pid };
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=3:']);
    process.exitCode = isAlive(parent) && !isCertain(parent) && !isAlive(nobody) ? 0 : 1;`;
    const node = [process.execPath, '--input-type=module', '-e', program, IDENTITY];
    const { status, stderr } = spawnSync(node[0], node.slice(1), { encoding: 'utf8' });
    t.equal(status, 0, stderr);
  },
);

t.test('a process whose log cannot be opened is not launched', async (t) => {
  const log = path.join(t.testdir(), 'missing', 'daemon.log');
  const launch = () => launchDetached([process.execPath], { home: '/', log, env: {} });
  t.throws(launch, { code: 'E_HOME_WRITE', message: /daemon\.log: ENOENT/ });
});
