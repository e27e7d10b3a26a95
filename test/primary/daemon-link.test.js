import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import t from 'tap';
import { DaemonLink } from '../../src/primary/daemon-link.js';
import { identityText, lockFile } from '../../src/shared/processes/daemon-lock.js';
import { activityOf } from '../../src/shared/processes/activity.js';
import { identify } from '../../src/shared/processes/identity.js';
import { isRunning, processesOf } from '../support/processes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { eventOf, until } from '../support/until.js';

/** The first try, without those that follow it. */
const FIRST_TRY_MS = 1200;

/** Notes how often its program is started. */
const launchNoting = (note) => ({
  ...{ execPath: '/bin/true', home: '/', log: '/dev/null', env: {} },
  get script() {
    note();
    return '-';
  },
});

const noProc = process.platform !== 'linux' && 'no /proc';

function fakeTimers(t) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
}

/** @returns what closes the connection */
function connect(link, params = {}) {
  let close = () => {};
  const ctx = { peer: {}, onClose: (listener) => (close = listener) };
  link.connected(ctx, { isManaged: false, ...params });
  return close;
}

function carryOut(steps, link) {
  let close = () => {};
  const actions = {
    connect: () => (close = connect(link)),
    'connect managed': () => (close = connect(link, { isManaged: true })),
    bye: () => link.expectLoss(),
    close: () => close(),
  };
  for (const step of steps) actions[step]();
}

const rows = [
  ['its daemon exited without a goodbye', ['connect', 'close'], true],
  ['its daemon said goodbye', ['connect', 'bye', 'close'], false],
  ['another daemon came and exited', ['connect', 'bye', 'close', 'connect', 'close'], true],
  ['an init system starts the next one', ['connect managed', 'close'], false],
  ['one without an init system came', ['connect managed', 'close', 'connect', 'close'], true],
];

for (const [when, steps, expected] of rows) {
  t.test(`${when}: ${expected ? 'a' : 'no'} daemon is started`, async (t) => {
    fakeTimers(t);
    let launches = 0;
    const link = new DaemonLink(launchNoting(() => (launches += 1)));
    carryOut(steps, link);
    mock.timers.tick(FIRST_TRY_MS);
    t.equal(launches > 0, expected);
    link.close();
  });
}

t.test('a daemon is killed when it is stopped and sends nothing', { skip: noProc }, async (t) => {
  const daemon = spawn('sleep', ['60']);
  t.teardown(() => daemon.kill('SIGKILL'));
  daemon.kill('SIGSTOP');
  const isStopped = () => activityOf(daemon.pid)?.isStopped;
  await until(isStopped, 'it to be stopped');
  const exit = eventOf(daemon, 'exit');
  let nowMs = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => nowMs);
  t.teardown(() => mock.reset());
  const link = new DaemonLink(launchNoting(() => {}));
  t.teardown(() => link.close());
  link.connected({ peer: daemon, onClose: () => {} }, {});
  const passMs = (ms, each = () => {}) => {
    for (const end = nowMs + ms; nowMs < end; each()) {
      nowMs += 2000;
      mock.timers.tick(2000);
    }
  };
  passMs(30_000, () => link.heardFrom(daemon));
  passMs(10_000, () => link.heardFrom({ pid: 1 }));
  t.ok(isStopped(), 'it has sent something');
  passMs(10_000);
  await exit;
});

/** A link that starts this program as the daemon. */
function linkTo(t, program) {
  const home = temporaryDirectory(t);
  const script = join(home, 'daemon.cjs');
  writeFileSync(script, program);
  const { execPath } = process;
  const link = new DaemonLink({ execPath, script, home, log: '/dev/null', env: {} });
  t.teardown(() => link.close());
  return { home, link };
}

t.test('that daemon knows its home, and that it is there for running apps only', async (t) => {
  const save = `require('fs').writeFileSync('new', JSON.stringify(process.argv.slice(2)))`;
  const program = `${save}; require('fs').renameSync('new', 'argv');`;
  const { home, link } = linkTo(t, program);
  const argv = join(home, 'argv');
  carryOut(['connect', 'close'], link);
  await until(() => existsSync(argv), 'the daemon to be started');
  t.strictSame(JSON.parse(readFileSync(argv, 'utf8')), [home, 'recovery']);
});

/** Two scripts that note their names before the `rest`, and what is lost when a daemon is. */
function twoDaemons(t, rest = '') {
  const home = temporaryDirectory(t);
  const log = join(home, 'started');
  const write = (name) => {
    const script = join(home, name);
    writeFileSync(script, `printf '${name} ' >> started\n${rest}`);
    return script;
  };
  const [proven, latest] = ['proven', 'latest'].map(write);
  const execPath = join(home, 'sh');
  // Without the option of V8.
  writeFileSync(execPath, '#!/bin/sh\nshift\nexec /bin/sh "$@"\n', { mode: 0o755 });
  const link = new DaemonLink({ execPath, script: proven, home, log: '/dev/null', env: {} });
  t.teardown(() => link.close());
  const lose = (script) => connect(link, { daemon: { execPath, script } })();
  const started = () => (existsSync(log) ? (readFileSync(log, 'utf8').match(/\w+/g) ?? []) : []);
  return { home, proven, latest, log, lose, started };
}

t.test('after a loss the latest daemon is started, then the proven one by turns', async (t) => {
  const { proven, latest, log, lose, started } = twoDaemons(t);
  lose(proven);
  lose(latest);
  await until(() => started().length >= 2, 'two to be started');
  t.strictSame(started().slice(0, 2), ['latest', 'proven'], 'somebody killed the latest');
  rmSync(log);
  lose(proven);
  lose(latest);
  await until(() => started().length >= 1, 'one to be started');
  t.equal(started()[0], 'latest', 'another version has connected');
});

for (const [when, which] of [
  ['one that it has started is still on its way', 'own'],
  ['another process has the lock', 'holder'],
]) {
  t.test(`no further one is started while ${when}`, { skip: noProc }, async (t) => {
    const { proven, latest, lose, started, home } = twoDaemons(t, 'exec sleep 60');
    t.teardown(() => processesOf(home).forEach((pid) => process.kill(pid, 'SIGKILL')));
    fakeTimers(t);
    if (which === 'holder') symlinkSync(identityText(identify(process.pid)), lockFile(home, 1));
    lose(proven);
    lose(latest);
    mock.timers.tick(FIRST_TRY_MS);
    for (let times = 0; times < 5; times++) mock.timers.tick(10_000);
    mock.timers.reset();
    t.equal(processesOf(home).length, which === 'own' ? 1 : 0);
    if (which === 'own') await until(() => started().length > 0, 'it to be started');
    t.strictSame(started(), which === 'own' ? ['latest'] : []);
  });
}

t.test('and so they go on, however often both fail', async (t) => {
  fakeTimers(t);
  const launched = [];
  const own = launchNoting(() => launched.push('own'));
  // In place of its own.
  const latest = launchNoting(() => (launched[launched.length - 1] = 'latest'));
  const link = new DaemonLink(own);
  t.teardown(() => link.close());
  connect(link, { daemon: latest })();
  while (launched.length < 8) {
    mock.timers.tick(31_000);
    await new Promise(setImmediate);
  }
  t.strictSame(launched.slice(-4).sort(), ['latest', 'latest', 'own', 'own'], `${launched}`);
});

t.test('one that hangs before the lock is not left behind', { skip: noProc }, async (t) => {
  const { home, link } = linkTo(t, 'setInterval(() => {}, 1000);');
  fakeTimers(t);
  carryOut(['connect', 'close'], link);
  mock.timers.tick(FIRST_TRY_MS);
  const [hung] = processesOf(home);
  t.ok(isRunning(hung));
  mock.timers.tick(60_000);
  link.close();
  mock.timers.reset();
  t.teardown(() => processesOf(home).forEach((pid) => process.kill(pid, 'SIGKILL')));
  await until(() => !isRunning(hung), 'the first one to exit');
});
