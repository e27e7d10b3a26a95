/** The daemon in the foreground, as a person and as systemd start it. */
import t from 'tap';
import { readFileSync } from 'node:fs';
import { takeNotifier } from '../../../src/daemon/init-system.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { noNotifySocket, notifySocket } from '../../support/systemd/notify-socket.js';
import { freePort } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.test('in a terminal: one daemon for a home, warnings on stderr, apps outlive it', async (t) => {
  const { begin, run, list, startApi } = testHome(t);
  const daemon = begin(['daemon']);
  await until(async () => (await run(['ping'])).code === 0, 'it to answer');
  const second = await run(['daemon']);
  t.equal(second.code, 6);
  t.match(second.stderr, `(pid ${daemon.child.pid})`);

  const port = await startApi();
  const [{ primaryPid }] = (await list()).apps;
  process.kill(primaryPid, 'SIGKILL');
  await daemon.said(/^warn: primary\.lost api/m);
  await until(() => ask(port), 'the app to serve again');
  daemon.child.kill('SIGINT');
  t.match(await daemon.ended, { code: 0 });
  t.ok(await ask(port));
  await until(async () => (await run(['ping'])).code === 0, 'the daemon that the primary starts');
});

t.test('as systemd does', { skip: noNotifySocket }, async (t) => {
  const { root, begin, ok, run, list } = testHome(t);
  const port = await freePort();
  const env = { PORT: String(port) };
  await ok(['start', app('http-pid.cjs'), '--name', 'api'], { env });
  const before = await list();

  const NOTIFY_SOCKET = `${root}/notify`;
  const systemd = await notifySocket(t, NOTIFY_SOCKET);
  const started = () =>
    begin(['daemon'], { env: { NOTIFY_SOCKET, WATCHDOG_USEC: '400000', JOURNAL_STREAM: '1:2' } });
  const first = started();
  await until(() => systemd.count('READY=1') === 1, 'READY=1');
  await until(() => systemd.count('WATCHDOG=1') > 1, 'two pings');
  const after = await list();
  t.equal(after.daemon.pid, first.child.pid, 'it took over from the daemon of the command');
  t.same(after.apps[0].workers[0].pid, before.apps[0].workers[0].pid);

  const refused = await started().ended;
  t.match(refused, { code: 6, stderr: /init system/ }, 'two units cannot have the same home');

  first.child.kill('SIGKILL');
  await until(() => !isRunning(first.child.pid), 'the daemon to be killed');
  const next = started();
  await until(() => systemd.count('READY=1') === 2, 'READY=1 again');
  t.equal((await list()).daemon.pid, next.child.pid);

  await ok(['restart', 'api']);
  const [restarted] = (await list()).apps;
  for (const pid of [restarted.primaryPid, restarted.workers[0].pid]) {
    t.notMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /NOTIFY_SOCKET|WATCHDOG_|JOURNAL_/);
  }
  next.child.kill('SIGTERM');
  t.match(await next.ended, { code: 0 });
  t.ok(await ask(port), 'apps outlive `systemctl stop`');
  t.equal((await run(['ping'])).code, 8);
});

t.test('the watchdog is for the process that systemd started', async (t) => {
  const rows = [
    [{ WATCHDOG_USEC: '30000000' }, 30_000],
    [{ WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) }, 30_000],
    [{ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }, null],
    [{ WATCHDOG_USEC: '0' }, null],
    [{}, null],
  ];
  for (const [given, watchdogMs] of rows) {
    const env = { PATH: '/bin', NOTIFY_SOCKET: '/run/notify', ...given };
    t.equal(takeNotifier(env).watchdogMs, watchdogMs);
    t.same(env, { PATH: '/bin' }, 'no other process inherits them');
  }
});
