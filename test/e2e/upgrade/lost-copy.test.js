/** What runs starts its processes from a copy of the package in the home, which may be removed or changed. */
import { appendFileSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

t.test('workers, primaries and daemons start after the home was removed', async (t) => {
  const home = testHome(t);
  await home.ok(['start', app('http-pid.cjs'), '--name', 'api'], {
    env: { PORT: String(await freePort()) },
  });
  const filesOf = () => readdirSync(path.join(home.home, 'versions'), { recursive: true }).sort();
  const files = filesOf();
  // In one step: files that come back while the directory is being removed would be removed as well.
  const removed = path.join(home.root, 'removed');
  renameSync(home.home, removed);
  await until(() => {
    // Its daemon may write to its log meanwhile.
    rmSync(removed, { recursive: true, force: true });
    return true;
  }, 'the home to be removed');
  await until(() => String(filesOf()) === String(files), 'the copy to be restored');

  const { primaryPid, workers } = await home.appNamed('api');
  process.kill(workers[0].pid, 'SIGKILL');
  await until(async () => {
    const now = await home.appNamed('api');
    return now.status === 'online' && now.workers[0].pid !== workers[0].pid;
  }, 'another worker');
  process.kill(primaryPid, 'SIGKILL');
  await until(async () => {
    const now = await home.appNamed('api');
    return now.status === 'online' && now.primaryPid !== primaryPid;
  }, 'another primary');
  const { daemon } = await home.list();
  process.kill(daemon.pid, 'SIGKILL');
  await until(async () => (await home.list()).daemon.pid !== daemon.pid, 'another daemon');
  t.match(await home.appNamed('api'), { status: 'online' });
});

t.test(
  'a changed file is restored, and a daemon that was started from one is replaced',
  async (t) => {
    const home = testHome(t);
    await home.startApi();
    const versions = path.join(home.home, 'versions');
    const file = path.join(versions, readdirSync(versions)[0], 'package.json');
    const content = readFileSync(file, 'utf8');
    appendFileSync(file, '\n');
    await until(() => readFileSync(file, 'utf8') === content, 'the file to be restored');

    const { daemon } = await home.list();
    process.kill(daemon.pid, 'SIGSTOP');
    appendFileSync(file, '\n');
    process.kill(daemon.pid, 'SIGKILL');
    await until(() => ![null, daemon.pid].includes(daemonPid(home.home)), 'the next daemon');
    t.match((await home.ok(['update', '--apps'])).stderr, /Updated the daemon/);
    t.match((await home.ok(['update', '--apps'])).stdout, /Every primary is up to date/);
    const [copy] = readdirSync(versions).filter((name) => !file.includes(`${name}/`));
    t.equal(readFileSync(path.join(versions, copy, 'package.json'), 'utf8'), content);
  },
);
