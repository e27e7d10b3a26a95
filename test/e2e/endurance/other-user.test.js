/** What another user of the machine can do to a home whose parent directory is open to all, and with places that it prepares. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { daemonScript } from '../../../src/api/launch-daemon.js';
import { homePaths } from '../../../src/shared/home.js';
import { HEALED_MS } from '../../../src/shared/presence.js';
import { NODE, app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { placeOf } from '../../support/primary-place.js';
import { until } from '../../support/until.js';

const skip = process.geteuid?.() !== 0 && 'only root can become another user';
const NOBODY = 65534;
const CONNECT =
  "require('net').connect(process.argv[1]).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))";

t.test('nobody else can enter, connect, signal or read', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  await home.ok(['start', app('http-pid.cjs'), '--name', 'api'], {
    env: { PORT: String(await freePort()) },
  });
  const { primaryPid, workers } = await home.appNamed('api');
  const { daemon } = await home.list();
  const paths = homePaths(home.home);
  for (const file of [home.home, ...filesIn(home.home)]) {
    const stats = lstatSync(file);
    // The permissions of a link do not count.
    if (!stats.isSymbolicLink()) t.equal(stats.mode & 0o077, 0, file);
  }
  const asNobody = (command, ...args) =>
    spawnSync(command, args, { uid: NOBODY, gid: NOBODY, cwd: '/', env: {} }).status;
  t.equal(asNobody('/bin/true'), 0);
  for (const socket of [paths.daemonSocket, placeOf(paths, 'api').socket]) {
    t.equal(asNobody(NODE, '-e', CONNECT, socket), 1, socket);
  }
  for (const file of [paths.desired, paths.daemonLog, paths.logFile('api', 'out')]) {
    t.not(asNobody('/bin/cat', file), 0, file);
  }
  for (const pid of [daemon.pid, primaryPid, workers[0].pid]) {
    t.not(asNobody('/bin/kill', '-0', String(pid)), 0, 'a signal');
    t.not(asNobody('/bin/cat', `/proc/${pid}/environ`), 0, 'the environment');
  }
});

function filesIn(home) {
  return readdirSync(home, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('versions'))
    .map((name) => path.join(home, name));
}

/** Whether the kernel follows no link of another user in a directory with the sticky bit. */
const protectsLinks = readProtection() === '1';

t.test('a home that another user made, or a link to one, is refused', { skip }, async (t) => {
  const home = testHome(t);
  const open = openDirectory(home, 0o1777);
  asNobody('mkdir', '-m', '700', path.join(open, 'made'));
  asNobody('ln', '-s', home.root, path.join(open, 'link'));
  const start = ['start', app('http-pid.cjs')];
  for (const command of [['ls'], start, ['kill']]) {
    const refused = await home.run(command, { env: { NODECLUSTER_HOME: path.join(open, 'made') } });
    t.match(refused, { code: 7, stderr: /E_HOME_FOREIGN/ }, command[0]);
  }
  const link = path.join(open, 'link');
  for (const command of [['ls'], start, ['kill']]) {
    const refused = await home.run(command, { env: { NODECLUSTER_HOME: link } });
    t.match(refused, { code: 7, stderr: /E_HOME_UNUSABLE/ }, command[0]);
  }
  if (protectsLinks) {
    const below = await home.run(start, { env: { NODECLUSTER_HOME: path.join(link, 'sub') } });
    t.match(below, { code: 7, stderr: /E_HOME_UNUSABLE/ }, 'below it');
  }
  t.same(readdirSync(path.join(open, 'made')), []);
  t.notOk(existsSync(path.join(home.root, 'apps')));
});

t.test('log and pid files lead nowhere else', { skip }, async (t) => {
  const home = testHome(t);
  // The kernel protects directories with the sticky bit by itself.
  const open = openDirectory(home, 0o777);
  const victim = path.join(home.root, 'victim');
  writeFileSync(victim, 'of root\n');
  for (const name of ['out.log', 'error.log', 'api.pid']) {
    asNobody('ln', '-s', victim, path.join(open, name));
  }
  const logs = ['--output', 'out.log', '--error', 'error.log'];
  const start = ['start', app('writes-lines.cjs'), '--name', 'api', ...logs];
  const options = { cwd: open, env: { PORT: String(await freePort()) } };
  const refused = await home.run([...start, '--pid', 'api.pid'], options);
  t.match(refused, { code: 2, stderr: /contains something else/ });
  await home.ok(start, options);
  const isRefused = async () => (await home.appNamed('api')).logDroppedBytes > 0;
  await until(isRefused, 'the log to be refused');
  const shown = await home.run(['logs', 'api', '--no-follow']);
  t.notMatch(shown, { stdout: /of root/ });
  t.match(shown, { stderr: /is a symbolic link/ });
  const { primaryLog: log } = homePaths(home.home);
  t.match(readFileSync(log, 'utf8'), /out\.log: .*it is a symbolic link/);
  t.equal(readFileSync(victim, 'utf8'), 'of root\n');
});

t.test('a primary executes nothing of a user who replaces the whole home', { skip }, async (t) => {
  const { home, env, paths, list } = openHome(t);
  const port = await home.startApi(['--instances', '2'], { env });
  const before = await list();
  const sockets = [paths.daemonSocket, placeOf(paths, 'api').socket];
  const names = sockets.map((socket) => path.relative(paths.home, socket));
  const daemon = path.relative(paths.home, daemonScript(paths));
  const agent = daemon.replace('daemon/main.js', 'agent/main.cjs');
  process.kill(before.daemon.pid, 'SIGSTOP');
  const leave = await takeHome(t, paths.home, daemon, agent, ...names);
  const refused = await home.run(['ls'], { env });
  t.match(refused, { code: 7, stderr: /E_HOME_FOREIGN/ });
  process.kill(before.daemon.pid, 'SIGKILL');
  const [kept, killed] = before.apps[0].workers;
  process.kill(killed.pid, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, HEALED_MS));
  t.equal(textOf(`${paths.home}.executed`), '', 'no script of the other user was executed');
  t.notOk(existsSync(paths.daemonLog), 'and no daemon started');
  t.ok(await ask(port));
  await leave();
  t.notMatch(textOf(`${paths.home}.heard`), /PATH|NODECLUSTER/, 'no environment was sent');
  // Something may still be written there.
  renameSync(paths.home, `${paths.home}.of-attacker`);
  renameSync(`${paths.home}.moved`, paths.home);
  const workers = await until(async () => {
    const [api] = (await list()).apps;
    return api.workers.every(({ status }) => status === 'online') && api.workers;
  }, 'both workers');
  t.equal(workers[0].pid, kept.pid);
});

t.test('a daemon writes and executes nothing there either', { skip }, async (t) => {
  const { home, env, paths, list } = openHome(t);
  const victim = path.join(home.root, 'victim');
  writeFileSync(victim, 'of root\n');
  await home.ok(['start', app('never-listens.cjs'), '--name', 'api'], { env });
  const before = await list();
  const daemon = path.relative(paths.home, daemonScript(paths));
  const primary = daemon.replace('daemon/main.js', 'primary/main.js');
  const leave = await takeHome(t, paths.home, primary, 'primaries/x.sock');
  asNobody('ln', '-s', victim, paths.daemonLog);
  process.kill(before.apps[0].primaryPid, 'SIGKILL');
  const isRefused = () =>
    /recovery\.failed.*belongs to user/.test(
      textOf(path.join(`${paths.home}.moved`, 'daemon.log')) + textOf(victim),
    );
  await until(isRefused, 'the start of a primary to be refused');
  t.equal(textOf(victim), 'of root\n');
  t.equal(textOf(`${paths.home}.executed`), '');
  t.same(readdirSync(paths.primariesDir), ['x.sock']);
  await leave();
  rmSync(paths.home, { recursive: true });
  renameSync(`${paths.home}.moved`, paths.home);
  await until(async () => (await list()).apps[0].status === 'online', 'the app');
});

/** A home in a directory that is open to all. */
function openHome(t) {
  const home = testHome(t);
  const env = { NODECLUSTER_HOME: path.join(openDirectory(home, 0o777), 'home') };
  t.teardown(() => home.run(['kill'], { env }));
  const list = async () => JSON.parse((await home.ok(['ls', '--json'], { env })).stdout);
  return { home, env, list, paths: homePaths(env.NODECLUSTER_HOME) };
}

/** Another user puts these places there. @returns what ends its process */
async function takeHome(t, ...places) {
  const attacker = spawn(NODE, [app('takes-home.cjs'), ...places], {
    ...{ uid: NOBODY, gid: NOBODY, cwd: '/', env: {} },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const leave = async () => {
    attacker.kill('SIGKILL');
    if (attacker.exitCode === null && attacker.signalCode === null) await once(attacker, 'exit');
  };
  t.teardown(leave);
  await once(attacker.stdout, 'data');
  return leave;
}

function openDirectory({ root }, mode) {
  chmodSync(root, 0o755);
  const open = path.join(root, 'open');
  mkdirSync(open);
  chmodSync(open, mode);
  return open;
}

function asNobody(command, ...args) {
  const { status } = spawnSync(command, args, { uid: NOBODY, gid: NOBODY, cwd: '/' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}`);
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function readProtection() {
  const file = '/proc/sys/fs/protected_symlinks';
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}
