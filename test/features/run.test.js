/** `run`: its home, its log, and when it is over. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import { takeLock } from '../../src/daemon/lock.js';
import { ownLine } from '../../src/features/run/daemon/own-log.js';
import { judgeRun } from '../../src/features/run/daemon/run-apps.js';
import { makeTransientHome, removeAbandonedHomes } from '../../src/features/run/transient-home.js';
import { runningHomes } from '../../src/shared/transient-homes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

// Where `run` makes its home, and what it does not take for one.

const NOBODY = 65534;
const NAME = `nodecluster-run-${process.geteuid()}-`;
const skip = process.getuid() === 0 ? false : 'only root can give a directory to another user';

t.test('a directory of another user, as after su', { skip }, async (t) => {
  const foreign = temporaryDirectory(t);
  const env = { XDG_RUNTIME_DIR: foreign };
  const abandoned = join(foreign, `${NAME}old`);
  mkdirSync(abandoned, { mode: 0o700 });
  takeLock(abandoned);
  t.same(runningHomes(env), [abandoned], 'as long as it is our own');
  chownSync(foreign, NOBODY, NOBODY);
  t.notMatch(runningHomes(env), [abandoned]);
  const home = makeTransientHome(env);
  t.teardown(() => rmSync(home, { recursive: true }));
  t.not(dirname(home), foreign);
});

t.test('what only looks like an abandoned home', async (t) => {
  const parent = temporaryDirectory(t);
  const env = { XDG_RUNTIME_DIR: parent };
  const [real, open, link, target] = ['real', 'open', 'link', 'target'].map((name) =>
    join(parent, name === 'target' ? name : `${NAME}${name}`),
  );
  for (const directory of [real, open, target])
    mkdirSync(join(directory, 'primaries', '1'), { recursive: true });
  chmodSync(real, 0o700);
  chmodSync(open, 0o777);
  symlinkSync(target, link);
  for (const directory of [real, open, target]) utimesSync(directory, 1, 1);
  await removeAbandonedHomes(env);
  t.notOk(existsSync(real));
  t.ok(existsSync(open), 'others could have put anything there');
  t.ok(existsSync(link));
  t.ok(existsSync(join(target, 'primaries')));
});

const { platform } = process;
const isRefused = platform === 'linux' ? false : `${platform} refuses such a connection`;
t.test('a daemon that accepts no more at the moment', { skip: isRefused }, async (t) => {
  const parent = temporaryDirectory(t);
  const home = join(parent, `${NAME}busy`);
  mkdirSync(home, { mode: 0o700 });
  const path = join(home, 'daemon.sock');
  const program = `require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log());`;
  const daemon = spawn(process.execPath, ['-e', program, path]);
  t.teardown(() => daemon.kill('SIGKILL'));
  await once(daemon.stdout, 'data');
  daemon.kill('SIGSTOP');
  const clients = Array.from({ length: 5 }, () => connect(path).on('error', () => {}));
  t.teardown(() => clients.forEach((client) => client.destroy()));
  const [{ code }] = await once(clients[4], 'error');
  t.equal(code, 'EAGAIN');
  utimesSync(home, 1, 1);
  await removeAbandonedHomes({ XDG_RUNTIME_DIR: parent });
  t.ok(existsSync(home));
});

t.test('two of them clean up at once', async (t) => {
  const parent = temporaryDirectory(t);
  const homes = Array.from({ length: 20 }, (_, count) => join(parent, `${NAME}${count}`));
  for (const home of homes) {
    mkdirSync(home, { mode: 0o700 });
    utimesSync(home, 1, 1);
  }
  const env = { XDG_RUNTIME_DIR: parent };
  await t.resolves(Promise.all([removeAbandonedHomes(env), removeAbandonedHomes(env)]));
  t.same(
    homes.filter((home) => existsSync(home)),
    [],
  );
});

// What `run` says about which event.

const ended = {
  event: 'worker.exited',
  level: 'warn',
  app: 'api',
  slot: 1,
  reason: 'exited with code 1',
  after: '2s',
};

for (const [entry, line] of [
  [
    { ...ended, then: 'started again' },
    'worker 1 exited with code 1 (uptime 2s); it is started again',
  ],
  [
    { ...ended, then: 'backoff', inMs: 100 },
    'worker 1 exited with code 1 (uptime 2s); it starts again in 100ms',
  ],
  [
    { ...ended, then: 'the old worker stays' },
    'the new worker 1 exited with code 1 (uptime 2s); the old one stays',
  ],
  [
    { ...ended, then: 'errored', why: 'failed 13 times within 1m' },
    'worker 1 failed 13 times within 1m; it stays errored',
  ],
  [{ event: 'worker.online', level: 'info', slot: 0, restarts: 0 }, null],
  [{ event: 'worker.online', level: 'info', slot: 0, restarts: 2 }, 'worker 0 is online again'],
  [{ event: 'action.ended', level: 'error', action: 'reload', ok: false }, null],
  [{ event: 'run.stopping', level: 'info', signal: 'SIGINT', requests: 1 }, 'SIGINT: stopping'],
  [
    { event: 'run.stopping', level: 'info', signal: 'SIGINT', requests: 2 },
    'SIGINT again: stopping without waiting for requests',
  ],
  [
    {
      event: 'worker.unhealthy',
      level: 'warn',
      slot: 0,
      pid: 7,
      reason: 'GET /health: 503 no pool',
    },
    'worker 0 unhealthy: GET /health: 503 no pool (pid=7)',
  ],
  [
    { event: 'app.unhealthy', level: 'error', reason: 'GET /health: 503 no pool' },
    'app unhealthy: GET /health: 503 no pool',
  ],
  [
    { event: 'worker.replacing', level: 'info', slot: 0, reason: 'it was old' },
    'worker 0 replacing: it was old',
  ],
  [{ event: 'worker.started', level: 'info', slot: 0, pid: 7, why: 'start' }, null],
  [{ event: 'worker.responsive', level: 'info', slot: 0, pid: 7 }, 'worker 0 responsive (pid=7)'],
  [{ event: 'daemon.started', level: 'info', home: '/h' }, null],
  [
    { event: 'dependency.missing', level: 'warn', app: 'api', dependency: 'db', time: '2026' },
    'dependency missing (dependency=db)',
  ],
  [
    { event: 'logs.reopen-failed', level: 'error', app: 'api', reason: 'EIO' },
    'logs reopen failed: EIO',
  ],
  [{ event: 'primary.lost', level: 'warn', app: 'api', primary: 7 }, 'primary lost (primary=7)'],
]) {
  t.equal(ownLine(entry), line, String(line));
}

// When `run` is over, in rows.

const app = (name, statuses, comesBack = false) => ({ name, statuses, comesBack });

const OVER = { outcome: 'exited' };

for (const [what, apps, verdict] of [
  ['every worker serves', [app('a', ['online', 'online'])], null],
  ['it is about to start again', [app('a', ['backoff'])], null],
  ['one worker of two is errored', [app('a', ['errored', 'online'])], null],
  ['nobody knows', [app('a', ['unknown'])], null],
  ['it has exited', [app('a', ['exited'])], OVER],
  ['one of two has exited', [app('a', ['exited']), app('b', ['online'])], null],
  ['both have exited', [app('a', ['exited']), app('b', ['exited'])], OVER],
  ['errored', [app('a', ['errored'])], { outcome: 'errored', apps: ['a'] }],
  [
    'one of two is errored',
    [app('a', ['errored', 'exited']), app('b', ['online'])],
    { outcome: 'errored', apps: ['a'] },
  ],
  ['a job waits for its schedule', [app('a', ['exited'], true)], null],
  ['a job has failed and waits', [app('a', ['errored'], true)], null],
  ['a person has stopped it', [app('a', ['stopped'])], null],
  ['one stopped, the other exited', [app('a', ['stopped']), app('b', ['exited'])], OVER],
  ['all were deleted', [], OVER],
]) {
  t.same(judgeRun(apps, { isChanging: false }), verdict, String(what));
}

t.test('while a command may add apps', async (t) => {
  t.same(judgeRun([app('migrate', ['exited'])], { isChanging: true }), null, 'others wait for it');
  t.same(judgeRun([], { isChanging: true }), null);
  t.match(judgeRun([app('migrate', ['errored'])], { isChanging: true }), { outcome: 'errored' });
});

t.test('no app could be added', async (t) => {
  const state = { isChanging: false, refused: ['api', 'web'] };
  t.same(judgeRun([], state), { outcome: 'errored', apps: ['api', 'web'] });
  t.equal(judgeRun([app('db', ['online'])], state), null, 'another app serves');
});
