/** What runs starts its processes from a copy of the package in the home, which may be removed. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
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

  const [pid] = await home.pidsOf('api');
  process.kill(pid, 'SIGKILL');
  await until(async () => (await home.isBack('api')).workers[0].pid !== pid, 'another worker');
  await home.isBack('api', await home.killPrimary('api'));
  await home.killDaemon();
  t.ok(await home.isBack('api'));
});
