import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import { takeLock } from '../../src/daemon/lock.js';
import { ownLine } from '../../src/features/run/daemon/own-log.js';
import { judgeRun } from '../../src/features/run/daemon/run-apps.js';
import { makeTransientHome, removeAbandonedHomes } from '../../src/features/run/transient-home.js';
import { runningHomes } from '../../src/shared/transient-homes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const NOBODY = 65534;
const NAME = `nodecluster-run-${process.geteuid()}-`;
const skip = process.getuid() === 0 ? false : 'only root can give a directory to another user';

t.test('a directory of another user, as after su', { skip }, async (t) => {
  const foreign = temporaryDirectory(t);
  const env = { XDG_RUNTIME_DIR: foreign };
  const abandoned = join(foreign, `${NAME}old`);
  fs.mkdirSync(abandoned, { mode: 0o700 });
  takeLock(abandoned);
  t.same(runningHomes(env), [abandoned], 'as long as it is our own');
  fs.chownSync(foreign, NOBODY, NOBODY);
  t.notMatch(runningHomes(env), [abandoned]);
  const home = makeTransientHome(env);
  t.teardown(() => fs.rmSync(home, { recursive: true }));
  t.not(dirname(home), foreign);
});

t.test('what only looks like an abandoned home', async (t) => {
  const parent = temporaryDirectory(t);
  const env = { XDG_RUNTIME_DIR: parent };
  const [real, open, link, target] = ['real', 'open', 'link', 'target'].map((name) =>
    join(parent, name === 'target' ? name : `${NAME}${name}`),
  );
  for (const directory of [real, open, target])
    fs.mkdirSync(join(directory, 'primaries', '1'), { recursive: true });
  fs.chmodSync(real, 0o700);
  fs.chmodSync(open, 0o777);
  fs.symlinkSync(target, link);
  for (const directory of [real, open, target]) fs.utimesSync(directory, 1, 1);
  await removeAbandonedHomes(env);
  t.notOk(fs.existsSync(real));
  t.ok(fs.existsSync(open), 'others could have put anything there');
  t.ok(fs.existsSync(link));
  t.ok(fs.existsSync(join(target, 'primaries')));
});

const { platform } = process;
const isRefused = platform === 'linux' ? false : `${platform} refuses such a connection`;
t.test('a daemon that accepts no more at the moment', { skip: isRefused }, async (t) => {
  const parent = temporaryDirectory(t);
  const home = join(parent, `${NAME}busy`);
  fs.mkdirSync(home, { mode: 0o700 });
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
  fs.utimesSync(home, 1, 1);
  await removeAbandonedHomes({ XDG_RUNTIME_DIR: parent });
  t.ok(fs.existsSync(home));
});

t.test('two of them clean up at once', async (t) => {
  const parent = temporaryDirectory(t);
  const homes = Array.from({ length: 20 }, (_, count) => join(parent, `${NAME}${count}`));
  for (const home of homes) {
    fs.mkdirSync(home, { mode: 0o700 });
    fs.utimesSync(home, 1, 1);
  }
  const env = { XDG_RUNTIME_DIR: parent };
  await t.resolves(Promise.all([removeAbandonedHomes(env), removeAbandonedHomes(env)]));
  t.notOk(homes.some((home) => fs.existsSync(home)));
});

const DOWN = 'GET /health: 503 no pool';
const exited = { slot: 1, code: 1, signal: null, reason: 'exited with code 1', after: '2s' };

t.test('in which words', async (t) => {
  for (const [event, level, entry, line] of [
    ['worker.exited', 'warn', exited, 'worker 1 exited with code 1 (uptime 2s)'],
    ['worker.online', 'info', { slot: 0, restarts: 0 }, null],
    ['worker.online', 'info', { slot: 0, restarts: 2 }, 'worker 0 is online again'],
    ['action.ended', 'error', { action: 'reload', ok: false }, null],
    ['run.stopping', 'info', { signal: 'SIGINT', requests: 1 }, 'SIGINT: stopping'],
    [
      ...['run.stopping', 'info', { signal: 'SIGINT', requests: 2 }],
      'SIGINT again: stopping without waiting for requests',
    ],
    [
      ...['worker.unhealthy', 'warn', { slot: 0, pid: 7, reason: DOWN }],
      `worker 0 unhealthy: ${DOWN} (pid=7)`,
    ],
    ['app.unhealthy', 'error', { reason: DOWN }, `app unhealthy: ${DOWN}`],
    ['worker.replacing', 'info', { slot: 0, reason: 'it is old' }, 'worker 0 replacing: it is old'],
    ['worker.started', 'info', { slot: 0, pid: 7, why: 'start' }, null],
    ['worker.responsive', 'info', { slot: 0, pid: 7 }, 'worker 0 responsive (pid=7)'],
    ['daemon.started', 'info', { home: '/h' }, null],
    ['logs.rotate-failed', 'error', { reason: 'EIO' }, 'logs rotate failed: EIO'],
    ['primary.lost', 'warn', { primary: 7 }, 'primary lost (primary=7)'],
  ]) {
    t.equal(ownLine({ app: 'api', time: '2026', event, level, ...entry }), line, event);
  }
});

const app = (name, statuses, comesBack = false) => ({ name, statuses, comesBack });

const OVER = [];
const A_ERRORED = ['a'];

for (const [what, apps, verdict] of [
  ['every worker serves', [app('a', ['online', 'online'])], null],
  ['it is about to start again', [app('a', ['backoff'])], null],
  ['one worker of two is errored', [app('a', ['errored', 'online'])], null],
  ['nobody knows', [app('a', ['unknown'])], null],
  ['it has exited', [app('a', ['exited'])], OVER],
  ['one of two has exited', [app('a', ['exited']), app('b', ['online'])], null],
  ['both have exited', [app('a', ['exited']), app('b', ['exited'])], OVER],
  ['errored', [app('a', ['errored'])], A_ERRORED],
  ['one of two is errored', [app('a', ['errored', 'exited']), app('b', ['online'])], A_ERRORED],
  ['a job waits for its schedule', [app('a', ['exited'], true)], null],
  ['a job has failed and waits', [app('a', ['errored'], true)], null],
  ['a person has stopped it', [app('a', ['stopped'])], null],
  ['one stopped, the other exited', [app('a', ['stopped']), app('b', ['exited'])], OVER],
  ['all were deleted', [], OVER],
]) {
  t.same(judgeRun(apps, { isChanging: false }), verdict, String(what));
}

t.test('while a command may add apps, and if none could be added', async (t) => {
  t.same(judgeRun([app('migrate', ['exited'])], { isChanging: true }), null, 'others wait for it');
  t.same(judgeRun([], { isChanging: true }), null);
  t.same(judgeRun([app('migrate', ['errored'])], { isChanging: true }), ['migrate']);
  const state = { isChanging: false, refused: ['api', 'web'] };
  t.same(judgeRun([], state), ['api', 'web']);
  t.equal(judgeRun([app('db', ['online'])], state), null, 'another app serves');
});
