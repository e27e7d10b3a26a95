/** `profile` while something goes wrong: one error, and no file; of whom `why` can be asked, also at the same time. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { placeOf } from '../../support/primary-place.js';
import { listeningPortsOf } from '../../support/processes.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';

const FILE = fileURLToPath(import.meta.url);
const { FULL_DISK: disk } = process.env;

async function started(t, options, env = {}) {
  const home = testHome(t);
  const port = await home.startApi(options, { program: 'spins-three-deep.cjs', env });
  const files = () => readdirSync(home.root).filter((name) => /profile|snapshot/.test(name));
  const profile = (...more) => home.begin(['profile', 'api:0', ...more]);
  /** One that has begun to record. */
  const recording = async (output) => {
    const begun = profile('--cpu', '1h', '--output', output);
    await begun.said(/^Recording api:0/m);
    return begun;
  };
  return { ...home, port, files, profile, recording };
}

if (disk === undefined) {
  const isPermitted = spawnSync('unshare', ['-m', 'true']).status === 0;
  const directory = temporaryDirectory(t);
  const mount = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"';
  const args = ['-m', 'sh', '-c', mount, directory, process.execPath, FILE];
  const env = { ...process.env, FULL_DISK: directory };
  if (isPermitted) t.spawn('unshare', args, { env }, 'on a full disk');
  else t.pass('a mount is not permitted here', { skip: 'it needs a mount namespace' });
  everywhere();
} else {
  t.test('a heap that is larger than the disk', async (t) => {
    const { profile, port } = await started(t, []);
    const { pid } = await ask(port, '/heap');
    const file = join(disk, 'a.heapsnapshot');
    const { code, stderr } = await profile('--heap', '--output', file).ended;
    t.equal(code, 7);
    t.match(stderr, `Could not write ${file} (ENOSPC).`);
    t.match(stderr, 'the free space');
    t.same(readdirSync(disk), []);
    t.equal((await ask(port)).pid, pid, 'the worker goes on');
  });
}

function everywhere() {
  t.test('a file that cannot be written, and two profiles at once', async (t) => {
    const { root, home, profile, recording, files, pidsOf } = await started(t, []);
    mkdirSync(join(root, 'directory'));
    writeFileSync(join(root, 'file'), 'kept');
    for (const [output, code, message] of [
      ['directory', 7, /Could not write \S+directory \(EISDIR\)\.[^]*Name a file/],
      ['none/a.cpuprofile', 7, /\(ENOENT\)\.[^]*its directory exists/],
      ['file/a.cpuprofile', 7, /\(ENOTDIR\)/],
      ['file', 6, /file already exists and was not changed/],
    ]) {
      const ended = await profile('--cpu', '50ms', '--output', output).ended;
      t.equal(ended.code, code, output);
      t.match(ended.stderr, message);
      t.notMatch(ended.stderr, 'Recording');
    }
    t.equal(readFileSync(join(root, 'file'), 'utf8'), 'kept');

    const first = await recording('a.cpuprofile');
    const second = await profile('--cpu', '1s', '--output', 'second.cpuprofile').ended;
    t.equal(second.code, 5);
    t.match(second.stderr, 'it could not be profiled: another command profiles it.');
    first.child.kill('SIGINT');
    t.equal((await first.ended).code, 0);
    t.same(files(), ['a.cpuprofile']);
    const [pid] = await pidsOf('api');
    const directory = placeOf(homePaths(home), 'api').dir;
    for (const order of [['--cpu', '50ms'], ['--heap']]) {
      symlinkSync('/dev/full', join(directory, `profile-${pid}.part`));
      t.match(await profile(...order).ended, {
        code: 5,
        stderr: /no file was written: ENOSPC: no space/,
      });
    }
    t.same(
      readdirSync(directory).filter((name) => name.startsWith('profile')),
      [],
    );
    t.same(files(), ['a.cpuprofile']);
    const heap = profile('--heap', '--output', 'b.heapsnapshot');
    await heap.said(/Writing the heap/);
    heap.child.kill('SIGTERM');
    const { code, stderr } = await heap.ended;
    if (code !== 0) t.match(stderr, 'not complete, so no file was written: it was interrupted');
    t.equal(files().includes('b.heapsnapshot'), code === 0, 'a whole file or none');
  });

  t.test('a reload, and a killed daemon and primary', async (t) => {
    const { ok, run, list, appNamed, recording, files } = await started(t, [
      '--min-uptime',
      '100ms',
    ]);
    const replaced = await recording('a.cpuprofile');
    await ok(['reload', 'api']);
    const lost = await replaced.ended;
    t.equal(lost.code, 5);
    t.match(lost.stderr, /api:0 is not complete, so no file was written: the worker has exited/);
    t.same(files(), []);

    const kept = await recording('a.cpuprofile');
    process.kill((await list()).daemon.pid, 'SIGKILL');
    await until(list, 'the next daemon');
    kept.child.kill('SIGINT');
    const { code, stderr } = await kept.ended;
    t.equal(code, 0, `it goes without a daemon: ${stderr}`);
    t.same(files(), ['a.cpuprofile']);

    const orphaned = await recording('b.cpuprofile');
    process.kill((await appNamed('api')).primaryPid, 'SIGKILL');
    const ended = await orphaned.ended;
    t.match(ended, { code: 5, stderr: /so no file was written: the worker has exited/ });
    t.same(files(), ['a.cpuprofile']);
    t.match(await run(['profile', 'api:7', '--cpu', '1s']), { code: 4, stderr: /api:7/ });
  });

  t.test('a program that ends meanwhile: its profile ends with it', async (t) => {
    const { root, ok, begin } = testHome(t);
    const script = join(root, 'task.cjs');
    const end = join(root, 'end');
    writeFileSync(
      script,
      `const timer = setInterval(() => {
        if (require('node:fs').existsSync(${JSON.stringify(end)})) clearInterval(timer);
      }, 20);`,
    );
    await ok(['start', script, '--name', 'task', '--schedule', '0 0 1 1 *']);
    const task = begin(['run-now', 'task']);
    await task.said(/online/);
    const { ended, said } = begin(['profile', 'task:0', '--cpu', '1h', '--json']);
    await said(/Recording/);
    writeFileSync(end, '');
    t.match(await task.ended, { code: 0 }, 'it does not wait for the end of an hour');
    const { code, stdout, stderr } = await ended;
    t.equal(code, 0, stderr);
    t.ok(JSON.parse(readFileSync(JSON.parse(stdout).file, 'utf8')).nodes.length > 0);
  });

  t.test('the inspector of the user stays open', async (t) => {
    const inspector = await freePort();
    const { port, profile, pidsOf, files } = await started(t, [
      '--node-args',
      `--inspect=127.0.0.1:${inspector}`,
    ]);
    const [pid] = await pidsOf('api');
    t.equal((await profile('--cpu', '100ms', '--output', 'a.cpuprofile').ended).code, 0);
    t.same(files(), ['a.cpuprofile']);
    t.same(listeningPortsOf(pid).sort(), [port, inspector].sort());
  });

  t.test('twice at once, and during a profile', async (t) => {
    const { run, begin, root, pidsOf, startApi } = testHome(t);
    const port = await startApi([], { program: 'spins-three-deep.cjs' });
    const [pid] = await pidsOf('api');
    const profile = begin(['profile', 'api:0', '--cpu', '1h', '--output', 'a.cpuprofile']);
    await profile.said(/^Recording api:0/m);
    const file = join(root, 'free');
    await ask(port, `/spin?${file}`);
    for (const { code, stdout } of await Promise.all([run(['why', 'api']), run(['why', 'api'])])) {
      t.equal(code, 0, stdout);
      t.match(stdout, /^api {2}blocked \d+s in (inner|middle|outer) /);
    }
    writeFileSync(file, '');
    t.equal((await ask(port)).pid, pid);
    profile.child.kill('SIGINT');
    t.equal((await profile.ended).code, 0, 'which it does not disturb');
    t.match(readFileSync(join(root, 'a.cpuprofile'), 'utf8'), '"functionName":"middle"');
    const inspectors = () => listeningPortsOf(pid).filter((each) => each !== port);
    await until(() => inspectors().length === 0, 'the inspector to be closed');
  });
}
