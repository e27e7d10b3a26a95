/** Of a program with `uid`: what it tries by way of its primary, in its place, or gives to the daemon, harms nobody else. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { app, testHome } from '../../support/home.js';
import { freeLowPort, freePort } from '../../support/ports.js';
import { placeOf } from '../../support/primary-place.js';
import { descriptorsOf, isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.jobs = 3;

const NOBODY = 65534;
const skip = process.getuid?.() === 0 ? false : 'only root can start programs as another user';

/** A home in which root runs a program of another user, and what that user must not touch: files of root, by name. */
function hostileHome(t, files) {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const [own, victim] = ['own', 'victim'].map((name) => join(home.root, name));
  mkdirSync(own);
  chownSync(own, NOBODY, NOBODY);
  mkdirSync(victim, { mode: 0o755 });
  for (const name of files) writeFileSync(join(victim, name), name);
  return { home, own, victim };
}

const variablesOf = (given) =>
  Object.entries(given).flatMap((pair) => ['--set-env', pair.join('=')]);

t.test('a hostile program', { skip }, async (t) => {
  const { home, own, victim } = hostileHome(t, ['precious', 'secret']);
  const report = join(own, 'report');
  const LOW_PORT = String(await freeLowPort());
  const given = { OWN: own, VICTIM: victim, REPORT: report, LOW_PORT };
  await home.run(
    [
      'start',
      app('attacker.cjs'),
      '--uid',
      'nobody',
      '-o',
      join(own, 'app.log'),
      ...variablesOf(given),
    ],
    { env: { SECRET_OF_ROOT: 'x', SUDO_USER: 'me', LC_ALL: 'C.UTF-8', NODE_ENV: 'production' } },
  );
  const found = await until(
    () => existsSync(report) && JSON.parse(readFileSync(report, 'utf8')),
    'the report',
  );

  t.equal(found.user, NOBODY);
  t.same(found.groups, [NOBODY], 'it has no supplementary groups');
  t.ok(existsSync(join(victim, 'precious')), 'it cannot remove a file of root');
  t.notOk(existsSync(join(victim, 'new.sock')), 'it cannot create a socket where root may');
  t.match(found, { socket: 'EACCES', lowPort: 'EACCES' });
  await home.ok(['stop', 'attacker']);
  t.equal(readFileSync(join(victim, 'secret'), 'utf8'), 'secret', 'it cannot append to a file');

  const { env, primary } = found;
  const account = { HOME: '/nonexistent', USER: 'nobody', LOGNAME: 'nobody' };
  t.match(env, { ...account, NODE_ENV: 'production', LC_ALL: 'C.UTF-8' });
  t.notOk(env.SECRET_OF_ROOT ?? env.SUDO_USER, 'the environment of root is not its own');
  t.ok(primary.includes('USER=nobody'), 'its primary runs as the same user');
  t.notOk(primary.some((entry) => entry.includes(home.root)));
});

const CONTROLS = ['\u001b]', '\u0007', '\u001b[2J'];

for (const LIES of ['plausible', 'garbage', 'flood']) {
  t.test(`${LIES} lies`, { skip }, async (t) => {
    const { home, own, victim } = hostileHome(t, ['secret']);
    const ofRoot = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
    t.teardown(() => ofRoot.kill('SIGKILL'));
    const READY = join(own, 'ready');
    const given = { LIES, READY, VICTIM: victim, VICTIM_PID: String(ofRoot.pid) };
    await home.ok(['start', app('never-listens.cjs'), '--name', 'other']);
    await home.run(['start', app('impostor.cjs'), '--uid', 'nobody', ...variablesOf(given)]);
    await until(() => existsSync(READY), 'the impostor to listen');
    await home.killDaemon();
    const { apps } = await home.list();
    t.same(apps.map(({ name }) => name).sort(), ['impostor', 'other']);
    const shown = [
      await home.run(['ls']),
      await home.run(['describe', 'impostor']),
      await home.run(['logs', 'impostor', '--no-follow']),
      await home.run(['flush', 'impostor']),
    ];
    for (const { stdout, stderr } of shown) {
      const isMasked = CONTROLS.every((control) => !(stdout + stderr).includes(control));
      t.ok(isMasked, 'no control sequence reaches a terminal');
      t.notMatch(stdout, /^secret/m);
    }
    await home.run(['stop', 'impostor']);
    await home.run(['flush', 'impostor']);
    await home.ok(['delete', 'impostor']);
    t.ok(isRunning(Number(ofRoot.pid)), 'no process of another user is signalled');
    t.equal(readFileSync(join(victim, 'secret'), 'utf8'), 'secret');
    t.same(
      (await home.list()).apps.map(({ name }) => name),
      ['other'],
    );
  });
}

/** @returns `socket:[1234]` */
function socketsOf(pid) {
  return descriptorsOf(pid).filter((file) => file.startsWith('socket:'));
}

t.test(
  'a link to the socket of another app, a file, and a message of Node itself',
  { skip },
  async (t) => {
    const { home, own } = hostileHome(t, []);
    const env = { PORT: String(await freePort()) };
    await home.ok(['start', app('http-pid.cjs'), '--name', 'other'], { env });
    const LINK = placeOf(homePaths(home.home), 'other').handover;
    const start = (name, given) => {
      const settings = ['--name', name, '--uid', 'nobody', ...variablesOf(given)];
      return home.run(['start', app('gives-no-socket.cjs'), ...settings]);
    };
    const names = ['linked', 'sent', 'said'];
    const marks = names.map((name) => join(own, name));
    await Promise.all([
      start('linked', { READY: marks[0], LINK }),
      start('sent', { READY: marks[1] }),
      start('said', { READY: marks[2], MESSAGE: '{"cmd":"NODE_HANDLE_ACK"}' }),
    ]);
    await until(() => marks.every(existsSync), 'all to have taken the place');

    const { pid } = await home.killDaemon();
    const isRefused = (name) => {
      const log = readFileSync(join(home.home, 'daemon.log'), 'utf8').split('\n').filter(Boolean);
      return log
        .filter((line) => line.includes('primary.sockets-not-held'))
        .map((line) => JSON.parse(line))
        .some(({ daemon, app: of }) => daemon === pid && of === name);
    };
    // The primary itself puts a link aside within seconds.
    await until(() => isRefused('sent') && isRefused('said'), 'both to be refused');

    const before = await home.killPrimary('linked');
    const after = await until(async () => {
      const { primaryPid } = await home.appNamed('linked');
      return primaryPid !== undefined && primaryPid !== before && primaryPid;
    }, 'its next primary');
    const ofOther = new Set(socketsOf((await home.appNamed('other')).primaryPid));
    t.ok(ofOther.size > 0);
    t.same(
      socketsOf(after).filter((socket) => ofOther.has(socket)),
      [],
      'it gets no socket of the other app',
    );
    t.equal((await home.list()).daemon.pid, pid, 'the daemon did not crash');
  },
);
