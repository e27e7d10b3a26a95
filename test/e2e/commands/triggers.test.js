/** Reloads by cron_restart and by watch. */
import t from 'tap';
import { copyApp, writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

t.test('cron_restart reloads without losing a request', async (t) => {
  const { root, ok, pidsOf } = testHome(t);
  const port = await freePort();
  copyApp('http-pid.cjs', `${root}/server.cjs`);
  const cron = ['--cron-restart', '* * * * * *'];
  await ok(['start', 'server.cjs', '--name', 'api', ...cron], { env: { PORT: String(port) } });
  const load = startLoad({ port, clients: 4 });
  t.teardown(() => load.stop());
  await until(() => load.state.pids.size >= 3, 'answers of three workers, one after another');
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  await ok(['stop', 'api']);
  t.same(await pidsOf('api'), [null], 'a stopped app is left alone');
});

t.test('cron_restart does not start an app again whose stop waits for its turn', async (t) => {
  const { ok, begin, list } = testHome(t);
  const env = { PORT: String(await freePort()), LATE_MS: '1500' };
  const cron = ['--cron-restart', '* * * * * *'];
  await ok(['start', app('listens-late.cjs'), '--name', 'api', ...cron], { env });
  const restart = begin(['restart', 'api']);
  await restart.said(/starting/);
  await ok(['stop', 'api']);
  await ok(['reset', 'api']); // waits for what is in the queue
  t.equal((await list()).apps[0].status, 'stopped');
  await restart.ended;
});

t.test('watch reloads after a change, also after stop and start', async (t) => {
  const { root, ok } = testHome(t);
  const port = await freePort();
  const folder = `${root}/app`;
  copyApp('http-pid.cjs', `${folder}/server.cjs`);
  writeFiles(folder, { 'node_modules/x/index.js': '' });
  await ok(['start', 'server.cjs', '--name', 'api', '--watch'], {
    cwd: folder,
    env: { PORT: String(port) },
  });
  const changed = async (file) => {
    const { pid } = await ask(port);
    writeFiles(folder, { [file]: '// changed' });
    await until(async () => (await ask(port)).pid !== pid, `a reload after ${file} changed`);
  };
  await changed('settings.js');
  await ok(['stop', 'api']);
  await ok(['start', 'api']);
  await changed('other/settings.js');
});

t.test('a reload follows the link `current` to the new version', async (t) => {
  const { root, ok } = testHome(t);
  const { renameSync, symlinkSync } = await import('node:fs');
  const port = await freePort();
  for (const version of ['1', '2']) {
    copyApp('reports-main.cjs', `${root}/releases/${version}/server.cjs`);
  }
  symlinkSync('releases/1', `${root}/current`);
  await ok(['start', 'current/server.cjs', '--cwd', `${root}/current`, '--name', 'api'], {
    env: { PORT: String(port) },
  });
  const first = await ask(port);
  t.equal(first.cwd, `${root}/releases/1`);
  symlinkSync('releases/2', `${root}/next`);
  renameSync(`${root}/next`, `${root}/current`);
  await ok(['reload', 'api']);
  const second = await ask(port);
  t.equal(second.cwd, `${root}/releases/2`);
  t.match(second.argv[1], /releases\/2|current/);
});
