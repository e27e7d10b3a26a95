/** The workers of a primary that is killed finish what they have begun; a primary that never got any exits. */
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import http2 from 'node:http2';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { connect } from '../../../../src/protocol/client.js';
import { PreviousWorkers, StrayProcesses } from '../../../../src/primary/processes/strays.js';
import { readRecord, workersIn } from '../../../../src/shared/processes/primary-record.js';
import { answerOf, ask, isRefused } from '../../../support/http-ask.js';
import { isRunning } from '../../../support/processes.js';
import { eventOf, until } from '../../../support/until.js';
import {
  FORK,
  FRESH,
  spawnPrimary,
  specOf,
  startPrimary,
  startedPrimary,
} from '../../primary-under-test.js';

async function served(t, script, change = {}) {
  const folder = t.testdir({});
  const ENDED = join(folder, 'ended');
  const primary = await startedPrimary(t, script, { ...change, env: { ENDED, ...change.env } });
  t.match(primary.outcome, { ok: true });
  const { pid } = await primary.slot();
  t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  const file = primary.paths.primary(1).record;
  await until(async () => (await readFile(file, 'utf8')).includes(`"pid":${pid},`), 'the record');
  const killPrimary = async () => {
    primary.child.kill('SIGKILL');
    await primary.ended;
  };
  const ended = () => existsSync(ENDED) && readFileSync(ENDED, 'utf8');
  return { ...primary, pid, folder, file, killPrimary, ended };
}

function recordedIn(file) {
  const found = readRecord(file);
  return found.kind === 'sound' ? workersIn(found.record).get('app') : 'unknown';
}

async function get(port, path, agent) {
  return (await answerOf({ port, path, agent })).headers.connection;
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`${scheduling}: requests in flight are answered, then the program exits`, async (t) => {
    // Node closes a connection that is idle for 5 s, in which a busy machine may not come to its next request.
    const change = { scheduling, killTimeoutMs: 60_000, keepAliveTimeoutMs: 600_000 };
    const primary = await served(t, 'talks-to-its-parent.cjs', change);
    const { port, folder, pid, killPrimary, ended } = primary;
    const agents = [1, 2].map(() => new http.Agent({ keepAlive: true, maxSockets: 1 }));
    t.teardown(() => agents.forEach((agent) => agent.destroy()));
    const release = join(folder, 'release');
    t.equal(await get(port, '/', agents[0]), 'keep-alive');
    const waiting = get(port, `/wait?${release}`, agents[1]);
    await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
    await killPrimary();
    await until(() => isRefused(port), 'the port to be free');
    t.equal(await get(port, '/', agents[0]), 'close', 'a kept connection gets its next answer');
    t.notOk(ended(), 'not asked to end before');
    writeFileSync(release, '');
    t.equal(await waiting, 'close');
    await until(() => !isRunning(pid), 'the worker to end');
    t.equal(ended(), `${pid} asked to end\n`, 'by its own handler');
  });
}

t.test('HTTP/2: open streams are answered, then the session ends', async (t) => {
  const env = { SLOW_MS: '400' };
  const { port, pid, killPrimary } = await served(t, 'http2-pid.cjs', { env });
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on('error', (error) => t.fail(error.message));
  const closed = eventOf(session, 'close');
  const answer = text(session.request({ ':path': '/' }));
  await eventOf(session, 'remoteSettings');
  await killPrimary();
  t.match(JSON.parse(await answer), { pid });
  await closed;
  await until(() => !isRunning(pid), 'the worker to end');
});

t.test('shutdown_with_message: the program receives the message', async (t) => {
  const change = { shutdownWithMessage: true, killTimeoutMs: 60_000 };
  const { pid, killPrimary, ended } = await served(t, 'shuts-down-by-message.cjs', change);
  await killPrimary();
  await until(() => !isRunning(pid), 'the worker to end');
  t.equal(ended(), 'message "shutdown"\n');
});

t.test('a worker that ignores its stop signal kills itself', async (t) => {
  const { pid, killPrimary } = await served(t, 'ignores-sigterm.cjs', { killTimeoutMs: 300 });
  await killPrimary();
  await until(() => !isRunning(pid), 'the worker to end');
});

t.test('a worker whose event loop is blocked is killed by the next primary', async (t) => {
  const change = { drainTimeoutMs: 100, killTimeoutMs: 100 };
  const { port, pid, file, spec, killPrimary } = await served(t, 'blocks-on-demand.cjs', change);
  await ask(port, '/block?/nonexistent/file');
  await killPrimary();
  t.ok(isRunning(pid));
  let count = 0;
  const previous = new PreviousWorkers(
    new StrayProcesses(`/home/${process.pid}`, 'app'),
    () => (count += 1),
  );
  await previous.end(recordedIn(file), spec);
  t.match(previous.alive, [{ pid }], 'nobody waits for it');
  await previous.ended;
  t.same([previous.alive, isRunning(pid), count], [[], false, 1]);
});

t.test('fork mode: the old worker exits before another one binds the same port', async (t) => {
  const change = { ...FORK, killTimeoutMs: 200 };
  const { pid, file, spec, killPrimary } = await served(t, 'ignores-sigterm.cjs', change);
  await killPrimary();
  t.ok(isRunning(pid), 'it does not depend on its primary');
  const previous = new PreviousWorkers(new StrayProcesses(`/home/${process.pid}`, 'app'), () => {});
  await previous.end(recordedIn(file), spec);
  t.notOk(isRunning(pid));
  await previous.end(recordedIn(file), spec);
  await previous.end(null, spec);
});

t.test('a primary that is killed as soon as it has the app has them in its record', async (t) => {
  const first = await served(t, 'ignores-sigterm.cjs', { ...FORK, killTimeoutMs: 60_000 });
  await first.killPrimary();
  const previous = recordedIn(first.file);
  const next = await startPrimary(t, first.spec, 'pipe', previous);
  next.child.kill('SIGKILL');
  await next.ended;
  t.same(recordedIn(next.paths.primary(1).record), previous);
});

t.test('what the old worker leaves is asked to exit too', async (t) => {
  const primary = await served(t, 'launches-a-server.cjs');
  const { pid } = await until(() => ask(primary.port), 'an answer');
  const release = join(primary.folder, 'release');
  const answer = ask(primary.port, `/wait?${release}`);
  await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
  await primary.killPrimary();
  const strays = new StrayProcesses(primary.paths.home, 'app');
  const previous = new PreviousWorkers(strays, () => {});
  await previous.end(recordedIn(primary.file), primary.spec);
  await until(() => primary.ended(), 'it to be asked to exit');
  writeFileSync(release, '');
  t.same(await answer, { pid });
  await previous.ended;
  t.notOk(isRunning(pid));
  t.equal(primary.ended(), `${pid} asked to end\n${pid} has ended\n`);
});

t.test(
  'fork mode: a record that cannot be read does not say that there is no old worker',
  async (t) => {
    const change = FORK;
    const primary = await served(t, 'ignores-sigterm.cjs', change);
    await primary.killPrimary();
    writeFileSync(primary.file, '[');
    const strays = new StrayProcesses(primary.paths.home, 'app');
    await new PreviousWorkers(strays, () => {}).end(recordedIn(primary.file), primary.spec);
    t.notOk(isRunning(primary.pid), 'it is found by its mark');
  },
);

t.test('cluster mode: without a record, old workers end by themselves', async (t) => {
  const { pid, file, spec, paths, killPrimary } = await served(t, 'blocks-on-demand.cjs');
  process.kill(pid, 'SIGSTOP');
  await killPrimary();
  writeFileSync(file, '[');
  const strays = new StrayProcesses(paths.home, 'app');
  const previous = new PreviousWorkers(strays, () => {});
  await previous.end(recordedIn(file), spec);
  await previous.ended;
  t.ok(isRunning(pid));
});

/** A primary whose daemon was killed before it gave it an app. */
async function startEmpty(t) {
  const empty = spawnPrimary(t, { most: 10 }, ['ignore', 'inherit', 'inherit', 'pipe'], 3);
  t.teardown(async () => {
    empty.child.kill('SIGTERM');
    await empty.ended;
  });
  await once(empty.child.stdio[3], 'data');
  return { ...empty, exitStarter: () => empty.child.stdio[3].destroy() };
}

t.test('a primary without an app exits with who started it', async (t) => {
  const [empty, used] = await Promise.all([startEmpty(t), startEmpty(t)]);
  const hello = { role: 'daemon', version: '0' };
  const connection = await connect(used.place.socket, { hello, timeoutMs: 30_000 });
  const spec = await specOf('http-pid.cjs', { instances: 1 });
  await connection.request('host', { spec, generation: 1, slots: [0], sockets: 0, ...FRESH });
  connection.close();
  used.exitStarter();
  empty.exitStarter();
  t.strictSame(await empty.ended, [null, 'SIGKILL']);
  t.same(readdirSync(empty.paths.primariesDir), [], 'and leaves nothing');
  t.match(used.child, { exitCode: null, signalCode: null });
});
