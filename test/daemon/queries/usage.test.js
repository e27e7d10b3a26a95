import t from 'tap';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Metrics } from '../../../src/daemon/queries/telemetry.js';

const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

t.test('usage is current, not since the last request', async (t) => {
  const looks = [];
  const metrics = new Metrics(async (pids) => {
    looks.push(pids);
    return { 1: { cpu: looks.length === 1 ? 90 : 4.04, memory: 5, ctime: 60 } };
  });
  const both = await Promise.all([metrics.sample([1, 2]), metrics.sample([1])]);
  const usage = { cpu: 4, memory: 5, ctime: 60 };
  t.strictSame(
    both.map((usages) => [...usages]),
    [[[1, usage]], [[1, usage]]],
  );
  const twice = [1, 2];
  t.strictSame(
    looks,
    [twice, twice],
    'two samples, each in one pass, shared by concurrent requests',
  );
});

t.test('no descriptor is kept of what was looked at', LINUX, async (t) => {
  const usage = fileURLToPath(new URL('../../../src/daemon/queries/telemetry.js', import.meta.url));
  // Of a process of its own: in this one, other tests may look at processes.
  const script = `const { readdirSync, readlinkSync } = await import('node:fs');
    const { Metrics } = await import(process.argv[1]);
    const pids = [process.pid, process.ppid];
    const looks = await Promise.all([1, 2].map(() => new Metrics().sample(pids)));
    looks.push(await new Metrics().sample(pids));
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; }
    });
    console.log(looks.map(({ size }) => size).join(), links.filter((link) => link.endsWith('/stat')).length);`;
  const args = ['--input-type=module', '--eval', script, usage];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.same({ stdout, stderr }, { stdout: '2,2,2 0\n', stderr: '' });
});

t.test('an image without getconf', async (t) => {
  const usage = fileURLToPath(new URL('../../../src/daemon/queries/telemetry.js', import.meta.url));
  const script = `const { Metrics } = await import(process.argv[1]);
    const usages = await new Metrics().sample([process.pid]);
    console.log(usages.size, process.env.PIDUSAGE_SILENT);`;
  const args = ['--input-type=module', '--eval', script, usage];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    env: { PATH: t.testdir() },
    encoding: 'utf8',
  });
  t.same({ stdout, stderr }, { stdout: '1 undefined\n', stderr: '' });
});
