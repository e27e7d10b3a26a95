/** The daemon in the foreground, as a person and as systemd start it, and sockets that an init system opened. */
import { chmodSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { checkedStart } from '../../../src/clients/startup/service.js';
import { takeNotifier, takeSockets } from '../../../src/daemon/init-system.js';
import { NODE, app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freeLowPort, freePort, freePorts } from '../../support/ports.js';
import { isRunning, listenersOf } from '../../support/processes.js';
import { noNotifySocket, noSocketUnit, notifySocket, socketUnit } from '../../support/systemd.js';
import { until } from '../../support/until.js';

const BIN = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));

/** They outlive every process of nodecluster. */
async function activated(t, addresses) {
  const home = testHome(t);
  await socketUnit(t, addresses, checkedStart({ node: NODE, cli: BIN }), {
    cwd: home.root,
    env: { ...home.env, NODECLUSTER_SERVICE: 'test' },
  });
  await until(async () => (await home.run(['ping'])).code === 0, 'the daemon to answer');
  return home;
}

t.test('an app gets the socket of its address', { skip: noSocketUnit }, async (t) => {
  const ports = await freePorts(5);
  const rows = [
    ['::', {}],
    ['0.0.0.0', {}],
    ['127.0.0.1', { HOST: '127.0.0.1' }],
    ['::', { HOST: '0.0.0.0' }],
    ['::', {}, ['--scheduling', 'round-robin']],
  ];
  const addresses = rows.map(([host], index) => [host, ports[index]]);
  const { ok, list, run } = await activated(t, addresses);
  for (const [index, [, env, flags = []]] of rows.entries()) {
    const start = ['start', app('listens-on-host.cjs'), '--name', `app${index}`, ...flags];
    await ok(start, { env: { PORT: String(ports[index]), ...env } });
    t.ok((await ask(ports[index])).pid);
  }
  const { daemon, apps } = await list();
  for (const pid of [apps[0].primaryPid, apps[0].workers[0].pid]) {
    t.notMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /LISTEN_/);
  }
  t.equal(listenersOf(daemon.pid, ports[0]), 1, 'the daemon holds no copy of it');
  for (const [index] of rows.entries()) {
    await ok(['stop', `app${index}`]);
    const waiting = ask(ports[index]);
    await ok(['start', `app${index}`]);
    t.ok((await waiting).pid, 'a request waits while the app is stopped');
  }
  await ok(['reload', 'all']);
  await ok(['scale', 'app0', '3']);
  for (const port of ports) t.ok((await ask(port)).pid);

  const env = { PORT: String(ports[0]) };
  const forked = ['start', app('http-pid.cjs'), '--exec-mode', 'fork', '--name', 'forked'];
  const failed = await run(forked, { env });
  t.not(failed.code, 0);
  t.match(
    failed.stderr,
    /could not listen on port \d+: in use by app0/,
    'a program in fork mode opens its port itself',
  );
});

for (const scheduling of ['round-robin', 'fair']) {
  const name = `${scheduling}: everything is killed at once under load, and nobody is refused`;
  t.test(name, { skip: noSocketUnit }, async (t) => {
    const [port] = await freePorts(1);
    const { ok, list } = await activated(t, [['::', port]]);
    const flags = ['--name', 'api', '-i', '2', '--scheduling', scheduling];
    await ok(['start', app('http-pid.cjs'), ...flags], { env: { PORT: String(port) } });
    const load = startLoad(t, { port, keepAlive: false, clients: 8 });
    await load.answers(50);
    const { daemon, apps } = await list();
    const [{ primaryPid, workers }] = apps;
    const pids = [daemon.pid, primaryPid, ...workers.map(({ pid }) => pid)];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(() => !pids.some(isRunning), 'all to be killed');
    await load.answers(50);
    const { codes, failures } = await load.stop();
    // What the killed processes had accepted is lost with them.
    delete codes.ECONNRESET;
    t.same(codes, {}, JSON.stringify(failures));
    t.notSame((await list()).apps[0].primaryPid, primaryPid);
  });
}

t.test('an app of another user gets those that it may have', { skip: noSocketUnit }, async (t) => {
  if (process.getuid?.() !== 0) return t.pass('only root can start programs as another user');
  const [low, other] = [await freeLowPort(), ...(await freePorts(1))];
  const { ok, run, root, appNamed } = await activated(t, [
    ['::', low],
    ['::', other],
  ]);
  chmodSync(root, 0o755);
  const start = (name, port) => {
    const settings = ['--uid', 'nobody', '--set-env', `PORT=${port}`];
    const permitted = ['--privileged-ports', String(low)];
    return ['start', app('listens-on-host.cjs'), '--name', name, ...settings, ...permitted];
  };
  await ok(start('low', low));
  const { primaryPid } = await appNamed('low');
  process.kill(primaryPid, 'SIGKILL');
  t.ok((await ask(low)).pid, 'a request waits while its primary is replaced');
  const refused = await run(start('other', other));
  t.not(refused.code, 0, 'a port that is not listed may be that of another app');
  t.match(refused.stderr, String(other));
});

t.test('when hold_timeout is over, connections are closed', { skip: noSocketUnit }, async (t) => {
  const [port] = await freePorts(1);
  const { ok } = await activated(t, [['::', port]]);
  const start = ['start', app('listens-late.cjs'), '--name', 'api', '--hold-timeout', '100ms'];
  // Otherwise nobody accepts them, and they wait in the kernel's queue.
  await ok([...start, '--scheduling', 'round-robin'], {
    env: { PORT: String(port), LATE_MS: '1000' },
  });
  const { pid } = await until(() => ask(port), 'it to listen');
  process.kill(pid, 'SIGKILL');
  const code = () =>
    ask(port).then(
      () => null,
      (error) => error.code,
    );
  await until(async () => (await code()) === 'ECONNRESET', 'a connection to be closed');
  t.not((await until(() => ask(port).catch(() => null), 'the next worker')).pid, pid);
});

t.test('only what the init system passed to this process is taken', async (t) => {
  const mine = { LISTEN_PID: String(process.pid), LISTEN_FDS: '1', LISTEN_FDNAMES: 'x' };
  const rows = [
    [{}, []],
    [{ ...mine, LISTEN_PID: '1' }, []],
    [{ ...mine, LISTEN_PID: undefined }, []],
    [{ ...mine, LISTEN_FDS: '-1' }, []],
    [{ ...mine, LISTEN_FDS: 'many' }, []],
    [{ ...mine, LISTEN_FDS: '0' }, []],
  ];
  for (const [env, ignored] of rows) {
    const before = { PATH: '/bin', ...env };
    t.same(takeSockets(before), { sockets: [], ignored });
    t.same(before, { PATH: '/bin' });
  }
});

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
