/** An app with `uid` serves ports below 1024 that root permits, and no others. */
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask, isRefused } from '../../support/http-ask.js';
import { freeLowPort } from '../../support/ports.js';

const skip = process.getuid?.() === 0 ? false : 'only root can start programs as another user';

t.test('it is served whatever is killed', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const port = await freeLowPort();
  const variables = ['--set-env', `PORT=${port}`, '--set-env', 'HOST=0.0.0.0'];
  const settings = ['--uid', 'nobody', '-i', '2', ...variables];
  const start = ['start', app('listens-on-host.cjs'), '--name', 'low', ...settings];

  const refused = await home.run(start);
  t.equal(refused.code, 5);
  t.match(refused.stderr, `privileged_ports: ${port}`);
  await home.ok(['delete', 'low']);

  await home.ok([...start, '--privileged-ports', String(port)]);
  const serves = async (after) => t.type((await ask(port)).pid, 'number', after);
  await serves('start');
  await home.ok(['reload', 'low']);
  await serves('reload');

  const killPrimary = async () => {
    const killed = await home.killPrimary('low');
    await serves('its primary was killed: the connection waits for the next one');
    await home.isBack('low', killed);
  };
  await killPrimary();
  const { daemon } = await home.list();
  process.kill(daemon.pid, 'SIGKILL');
  await serves('the daemon was killed');
  await home.ok(['ls']);
  await killPrimary();

  await home.ok(['stop', 'low']);
  t.ok(await isRefused(port), 'a stopped app has no port');
  await home.ok(['start', 'low']);
  await serves('it is started again');
  await home.ok(['delete', 'low']);
  t.ok(await isRefused(port), 'nor a deleted one');
});
t.test('what is not permitted', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const port = await freeLowPort();
  const variables = ['--set-env', `PORT=${port}`, '--set-env', 'HOST=127.0.0.1'];
  const start = ['start', app('listens-on-host.cjs'), '--name', 'low', ...variables];
  const asNobody = [...start, '--uid', 'nobody', '--privileged-ports'];

  t.match((await home.run([...start, '--privileged-ports', '80'])).stderr, 'an app with uid');
  t.match((await home.run([...asNobody, '8080'])).stderr, 'ports below 1024');
  const other = await home.run([...asNobody, String(port)]);
  t.equal(other.code, 5, 'every address is not this one');
  t.match(other.stderr, `privileged_ports: 127.0.0.1:${port}`);
  await home.ok(['delete', 'low']);

  await home.ok([...asNobody, `127.0.0.1:${port}`]);
  t.type((await ask(port)).pid, 'number');
  const without = await home.run(['restart', 'low', '--privileged-ports', '1']);
  t.equal(without.code, 5, 'a port that is permitted no longer is closed');
  t.ok(await isRefused(port));
  await home.ok(['delete', 'low']);

  const taken = createServer().listen(port);
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const busy = await home.run([...asNobody, String(port)]);
  t.match(
    busy.stdout + busy.stderr,
    `could not listen on port ${port}: in use by pid ${process.pid}`,
  );
});
