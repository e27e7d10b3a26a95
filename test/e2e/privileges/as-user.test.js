/** An app with `uid` is supervised as any other, and nothing of it ever runs as root. */
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { BIN, NODE, app, testHome, watched } from '../../support/home.js';
import { ask, isRefused, pidsThatAnswer } from '../../support/http-ask.js';
import { freeLowPort, freePort } from '../../support/ports.js';
import { commandOf, processesOf } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

const NOBODY = 65534;
const skip = process.getuid?.() === 0 ? false : 'only root can start programs as another user';

/** @returns its real, effective, saved and file system uid */
function usersOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (/^Uid:\s+(.*)$/m.exec(status)?.[1] ?? '').split(/\s+/).map(Number);
}

t.test('its life', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const port = await freePort();
  const env = { PORT: String(port) };
  const variables = ['--set-env', `PORT=${port}`];
  await home.ok(['start', app('http-pid.cjs'), '-i', '2', '--uid', 'nobody', ...variables], {
    env,
  });
  const name = 'http-pid';

  const runsAs = async (after, uid = NOBODY) => {
    const { primaryPid, workers } = await home.appNamed(name);
    for (const pid of [primaryPid, ...workers.map((worker) => worker.pid)]) {
      t.same(usersOf(pid), [uid, uid, uid, uid], after);
    }
    return primaryPid;
  };
  await runsAs('start');
  const listed = await home.ok(['ls']);
  t.match(listed.stdout, / nobody /);
  t.match((await home.ok(['describe', name])).stdout, /user +nobody/);
  await home.ok(['reload', name]);
  await home.ok(['scale', name, '3']);
  await pidsThatAnswer(port, 3);
  await runsAs('reload and scale');

  await runsAs('before the primary is killed');
  await home.isBack(name, await home.killPrimary(name));
  const second = await runsAs('the primary was killed');

  const { daemon } = await home.list();
  process.kill(daemon.pid, 'SIGKILL');
  // No primary starts the next daemon: a command does.
  await home.ok(['ls']);
  t.equal((await home.list()).apps[0].primaryPid, second, 'the next daemon adopts its primary');
  await home.ok(['flush', name]);
  const own = join(home.home, 'apps', name, `user-${NOBODY}`);
  t.ok(existsSync(join(own, 'primary.sock')));

  await home.ok(['restart', name, '--uid', 'root']);
  await runsAs('it is an app of root now', 0);
  await home.ok(['restart', name, '--uid', 'nobody']);
  await runsAs('and of the other user again');
  await home.ok(['stop', name]);
  const { stdout, stderr } = await home.run(['flush', name]);
  t.match(stdout + stderr, /belong to another user/);
  await home.ok(['delete', name]);
  t.notOk(existsSync(join(own, 'primary.log')));
});

t.test('a program that its user may not read', { skip }, async (t) => {
  const { run, root } = testHome(t);
  chmodSync(root, 0o700);
  const script = join(root, 'private', 'app.js');
  mkdirSync(join(root, 'private'));
  writeFileSync(script, 'setInterval(() => {}, 1000)');
  const { code, stderr } = await run(['start', script, '--uid', 'nobody', '--json']);
  t.equal(code, 5);
  t.match(stderr, 'cannot run as nobody');
});

t.test('a unix socket near the home directory', { skip }, async (t) => {
  const { ok, root } = testHome(t);
  chmodSync(root, 0o755);
  const own = join(root, 'own');
  mkdirSync(own);
  chownSync(own, NOBODY, NOBODY);
  const script = join(root, 'app.js');
  writeFileSync(script, `require('net').createServer().listen(${JSON.stringify(join(own, 's'))})`);
  chmodSync(script, 0o644);
  await ok(['start', script, '--uid', 'nobody', '-i', '2']);
  t.ok(existsSync(join(own, 's')));
  await ok(['delete', 'all']);
});

t.test('why and profile', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const port = await freePort();
  const start = ['start', app('spins-three-deep.cjs'), '--name', 'api', '--uid', 'nobody'];
  await home.ok([...start, '--set-env', `PORT=${port}`]);
  const profile = await home.ok(['profile', 'api', '--cpu', '100ms', '--json']);
  const { file } = JSON.parse(profile.stdout);
  const { uid, mode } = statSync(file);
  t.same({ uid, mode: mode & 0o777 }, { uid: 0, mode: 0o600 });
  await ask(port, `/spin?${join(home.root, 'never')}`);
  const { stdout } = await home.ok(['why', 'api']);
  t.match(stdout, /^api {2}blocked \d+s in inner \(spins-three-deep\.cjs:12:\d+\)\n {4}at inner /);
});

t.test('an app of another user', { skip }, async (t) => {
  const { root, env, left } = testRun(t);
  chmodSync(root, 0o755);
  const port = `PORT=${await freePort()}`;
  const words = ['run', app('http-pid.cjs'), '--uid', 'nobody', '--set-env', port];
  const options = { cwd: root, env, detached: true };
  const begun = watched(spawnClean(NODE, [BIN, ...words], options), words.join(' '));
  await begun.said(/1 worker online/);
  await until(
    () => processesOf(root).some((pid) => commandOf(pid).includes('receive-sockets')),
    'the process that receives its sockets',
  );
  process.kill(-Number(begun.child.pid), 'SIGINT');
  const { code, stderr } = await begun.ended;
  t.equal(code, 0);
  t.match(stderr, /SIGINT: stopping/);
  t.notMatch(stderr, /sockets-not-held/);
  t.same(left(), NOTHING);
});

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
