/** An app with `uid` is supervised as any other, and nothing of it ever runs as root. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { app, testHome, BIN, NODE, watched } from '../../support/home.js';
import { pidsThatAnswer, ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
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
  await home.ok(['flush', name]);
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
  t.match(stdout, /^api:0 is blocked in inner \(spins-three-deep\.cjs:12:\d+\)\n +at inner /);
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
