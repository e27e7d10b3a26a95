/** `kill -9` of a primary only delays its clients. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startBothLoads } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf, until, within } from '../../support/until.js';

// They wait more than they work.
t.jobs = 3;

async function served(t, script, flags = [], env = {}) {
  const home = testHome(t);
  const port = await freePort();
  const ENDED = join(home.root, 'ended');
  const start = ['start', app(script), '-i', '2', '--name', 'api'];
  const fast = ['--min-uptime', '300ms'];
  await home.ok([...start, ...fast, ...flags], { env: { PORT: String(port), ENDED, ...env } });
  const { primaryPid, workers } = await home.appNamed('api');
  const pids = workers.map(({ pid }) => pid);
  const back = (lost = primaryPid) => home.isBack('api', lost);
  return { ...home, port, primaryPid, pids, ENDED, back };
}

/** @returns a connection that the kernel has taken */
async function connected(port) {
  const socket = net.connect(port);
  await eventOf(socket, 'connect');
  return socket;
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`${scheduling}: no connection is refused and no request stays unanswered`, async (t) => {
    const home = await served(t, 'http-pid.cjs', ['--scheduling', scheduling]);
    const { port, primaryPid, pids, back, list, ok } = home;
    const load = startBothLoads(t, { port, clients: 5 });
    await load.answers(50);
    process.kill(primaryPid, 'SIGKILL');
    await load.answers(50);
    const { primaryPid: next, workers } = await back();
    await until(() => !pids.some(isRunning), 'the old workers to exit');
    await load.answers(50);
    const { codes, failures } = await load.stop();
    // The primary takes a few with it that it had accepted itself.
    delete codes.ECONNRESET;
    t.same(codes, {}, JSON.stringify(failures));

    // Without a primary, connections wait.
    const { daemon } = await list();
    process.kill(daemon.pid, 'SIGSTOP');
    t.teardown(() => isRunning(daemon.pid) && process.kill(daemon.pid, 'SIGCONT'));
    process.kill(next, 'SIGKILL');
    await until(() => !workers.some(({ pid }) => isRunning(pid)), 'the workers to exit');
    const socket = await connected(port);
    let text = '';
    socket.setEncoding('utf8').on('data', (data) => (text += data));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const answered = eventOf(socket, 'close');
    process.kill(daemon.pid, 'SIGCONT');
    await answered;
    const { pid } = JSON.parse(text.slice(text.indexOf('{'), text.indexOf('}') + 1));
    const after = await back(next);
    t.ok(after.workers.some((worker) => worker.pid === pid));

    await ok(['stop', 'api']);
    const [error] = await eventOf(net.connect(port, '127.0.0.1'), 'error');
    t.equal(error.code, 'ECONNREFUSED', 'a stopped app keeps no port');
    const other = net.createServer().listen(port);
    await eventOf(other, 'listening');
    other.close();
  });
}

t.test('a program that never unlinks its unix socket listens again', async (t) => {
  const path = join(temporaryDirectory(t), 'app.sock');
  const { primaryPid, back } = await served(t, 'blocks-on-demand.cjs', [], { PORT: path });
  process.kill(primaryPid, 'SIGKILL');
  const { workers } = await back();
  t.match(workers, [{ restarts: 0 }, { restarts: 0 }]);
  (await connected(path)).destroy();
});

t.test('when no primary can be started, connections wait until the app is stopped', async (t) => {
  const node = join(temporaryDirectory(t), 'node');
  symlinkSync(process.execPath, node);
  const flags = ['--kill-timeout', '60s', '--interpreter', node];
  const home = await served(t, 'talks-to-its-parent.cjs', flags);
  const { root, port, primaryPid, pids, ENDED, list, ok } = home;
  const release = join(root, 'release');
  const waiting = ask(port, `/wait?${release}`);
  await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
  const { daemon } = await list();
  process.kill(daemon.pid, 'SIGSTOP');
  t.teardown(() => isRunning(daemon.pid) && process.kill(daemon.pid, 'SIGCONT'));
  process.kill(primaryPid, 'SIGKILL');
  await until(() => !isRunning(primaryPid), 'it to exit');
  rmSync(node);
  process.kill(daemon.pid, 'SIGCONT');
  const log = () => readFileSync(join(home.home, 'daemon.log'), 'utf8');
  await until(() => log().includes('recovery.failed'), 'a primary that does not start');
  const held = await connected(port);
  held.on('error', () => {});
  const cut = within(new Promise((resolve) => held.once('close', resolve)), 'its end');

  const stopped = ok(['stop', 'api']);
  await until(() => pids.filter(isRunning).length === 1, 'the idle worker to exit');
  writeFileSync(release, '');
  t.ok(pids.includes((await waiting).pid), 'what is in flight is answered');
  await stopped;
  t.notOk(pids.some(isRunning), 'nothing is left');
  t.equal(readFileSync(ENDED, 'utf8').trim().split('\n').length, 2);
  await cut;
  const [error] = await eventOf(net.connect(port, '127.0.0.1'), 'error');
  t.equal(error.code, 'ECONNREFUSED');
  symlinkSync(process.execPath, node);
  await ok(['start', 'api']);
  t.notOk(pids.includes((await ask(port)).pid));
});

t.test('without daemon and primary, requests in flight are still answered', async (t) => {
  const flags = ['--kill-timeout', '60s'];
  const home = await served(t, 'talks-to-its-parent.cjs', flags);
  const { root, port, primaryPid, pids, ENDED, list, ok } = home;
  const release = join(root, 'release');
  const waiting = ask(port, `/wait?${release}`);
  await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
  const { daemon } = await list();
  for (const pid of [daemon.pid, primaryPid]) process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(daemon.pid) && !isRunning(primaryPid), 'both to exit');
  await ok(['ls']);
  const { pid } = await until(async () => {
    const answer = await ask(port);
    return !pids.includes(answer.pid) && answer;
  }, 'an answer of a new worker');
  t.match((await ok(['events', '--no-follow'])).stdout, / primary lost$/m);
  writeFileSync(release, '');
  const { pid: old } = await waiting;
  t.ok(pids.includes(old) && pid !== old);
  await until(() => !pids.some(isRunning), 'the old workers to exit');
  const said = existsSync(ENDED) ? readFileSync(ENDED, 'utf8').trim().split('\n').sort() : [];
  t.same(said, pids.map((each) => `${each} asked to end`).sort(), 'by their own handlers');
});
