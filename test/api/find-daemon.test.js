import t from 'tap';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDaemon } from '../../src/api/find-daemon.js';
import { launchAndConnect, startDaemon } from '../../src/api/launch-daemon.js';
import { takeLock } from '../../src/daemon/lock.js';
import { serve } from '../../src/protocol/server.js';
import { ensureHome } from '../../src/shared/home.js';
import { recordService } from '../../src/shared/processes/service-record.js';
import { isRunning } from '../support/processes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';

const lock = fileURLToPath(new URL('../../src/daemon/lock.js', import.meta.url));
const protocol = fileURLToPath(new URL('../../src/protocol/server.js', import.meta.url));
const hello = { role: 'daemon', version: '0' };

function homeOf(t) {
  return ensureHome(join(temporaryDirectory(t), 'home'));
}

/** Starts one that runs this program. */
function launch(paths, program, { env = process.env, timeoutMs = 60_000 } = {}) {
  const file = join(paths.home, 'daemon.mjs');
  writeFileSync(file, program);
  return launchAndConnect(paths, env, file, timeoutMs);
}

/** One that holds the lock and listens; methods: its code. */
const listening = (paths, methods) => `
  import { takeLock } from ${JSON.stringify(lock)};
  import { serve } from ${JSON.stringify(protocol)};
  takeLock(${JSON.stringify(paths.home)});
  await serve(${JSON.stringify(paths.daemonSocket)}, {
    hello: ${JSON.stringify(hello)},
    methods: ${methods},
  });`;

/** One that neither takes the lock nor listens; `pid` is when it runs. */
function idle(t, paths) {
  const file = join(paths.home, 'pid');
  const program = `
    import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(file)}, String(process.pid));
    setInterval(() => {}, 1000);`;
  const pid = async () => {
    const read = () => existsSync(file) && Number(readFileSync(file, 'utf8'));
    const found = await until(read, 'it to start');
    t.teardown(() => isRunning(found) && process.kill(found, 'SIGKILL'));
    return found;
  };
  return { program, pid };
}

async function pongServer(t, paths) {
  const server = await serve(paths.daemonSocket, { hello, methods: { ping: async () => 'pong' } });
  t.teardown(() => server.close());
}

async function answers(t, client) {
  t.equal(await client?.request('ping'), 'pong');
  client?.close();
}

t.test('a daemon that listens is found; none, or one that exits meanwhile, is null', async (t) => {
  const paths = homeOf(t);
  t.equal(await findDaemon(paths), null);
  await pongServer(t, paths);
  await answers(t, await findDaemon(paths));
  const leaving = homeOf(t);
  const server = createServer((socket) => socket.destroy()).listen(leaving.daemonSocket);
  t.teardown(() => server.close());
  t.equal(await findDaemon(leaving), null);
});

t.test('one of an init system is waited for, so that none is started beside it', async (t) => {
  const paths = homeOf(t);
  recordService(paths.service, true);
  const opening = startDaemon(paths, process.env);
  await pongServer(t, paths);
  await answers(t, await opening);
  t.notOk(existsSync(paths.daemonLog), 'no process was started');
});

t.test('starts one that outlives the command, without NODE_OPTIONS or secrets', async (t) => {
  const paths = homeOf(t);
  const program = listening(
    paths,
    `{
      env: async () => ({ ...process.env }),
      kill: async () => setImmediate(() => process.exit()),
    }`,
  );
  const shell = { ...process.env, NODE_OPTIONS: '--no-warnings', SECRET: 'x' };
  const client = await launch(paths, program, { env: shell });
  const env = await client.request('env');
  t.equal(env.NODECLUSTER_HOME, paths.home);
  t.notMatch(env.NODE_OPTIONS ?? '', '--no-warnings'); // tap adds its own to every child
  t.notOk('SECRET' in env);
  t.not(client.peer.pid, process.pid);
  const closed = new Promise((resolve) => client.on('close', resolve));
  await client.request('kill').catch(() => {});
  await closed;
});

t.test('one that dies at once is an error with its last words', async (t) => {
  const paths = homeOf(t);
  writeFileSync(paths.daemonLog, 'of an earlier daemon\n');
  const starting = launch(paths, "console.error('no luck today'); process.exitCode = 3;");
  const data = { reason: 'it exited with code 3', lastLines: ['no luck today'] };
  await t.rejects(starting, { code: 'E_DAEMON_START', exitCode: 8, data });
});

t.test('one that works for longer than the time-out of a connection is waited for', async (t) => {
  const paths = homeOf(t);
  // As one does that reads and writes many files on a busy machine.
  const program = listening(
    paths,
    `{ work: async () => void setImmediate(() => {
      const cell = new Int32Array(new SharedArrayBuffer(4));
      const spin = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); };
      for (const end = Date.now() + 7000; Date.now() < end; Atomics.wait(cell, 0, 0, 150)) spin(50);
    }) }`,
  );
  const first = await launch(paths, program);
  const { pid } = first.peer;
  t.teardown(() => process.kill(pid, 'SIGKILL'));
  await first.request('work');
  const second = await findDaemon(paths);
  t.equal(second.peer.pid, pid);
  second.close();
  first.close();
});

t.test('one that holds the lock and does not listen is an error with its pid', async (t) => {
  const paths = homeOf(t);
  takeLock(paths.home);
  const data = { pid: process.pid, socket: paths.daemonSocket };
  const unreachable = { code: 'E_DAEMON_SILENT', data };
  await t.rejects(findDaemon(paths, 'test', 50), unreachable);
  await t.rejects(launch(paths, '', { timeoutMs: 1000 }), unreachable);
});

t.test('one that loses against another leads to the other', async (t) => {
  const paths = homeOf(t);
  await pongServer(t, paths);
  await answers(t, await launch(paths, "console.error('another one runs');"));
});

t.test('one that is slower than another does not follow that later', async (t) => {
  const paths = homeOf(t);
  const slow = idle(t, paths);
  const starting = launch(paths, slow.program);
  const pid = await slow.pid();
  await pongServer(t, paths);
  const client = await starting;
  t.equal(client.peer.pid, process.pid);
  await until(() => !isRunning(pid), 'the slow one to exit');
  client.close();
});

t.test('one that hangs before it takes the lock is not left behind', async (t) => {
  const paths = homeOf(t);
  const hanging = idle(t, paths);
  const starting = launch(paths, hanging.program, { timeoutMs: 3000 });
  await t.rejects(starting, { code: 'E_DAEMON_START' });
  if (!existsSync(join(paths.home, 'pid'))) return;
  const pid = await hanging.pid();
  await until(() => !isRunning(pid), 'it to exit');
});
