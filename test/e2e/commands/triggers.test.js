/** A reload by cron_restart while the app is being stopped, and one to the release that a link names. */
import t from 'tap';
import { renameSync, symlinkSync } from 'node:fs';
import { copyApp } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

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

t.test('a reload follows the link `current` to the new version', async (t) => {
  const { root, ok } = testHome(t);
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
