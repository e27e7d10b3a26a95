/** Wrong frames, from a seed, cost nobody anything; FRAMES=<number> sends more of them. */
import { chmodSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { connect } from '../../../src/protocol/client.js';
import { homePaths } from '../../../src/shared/home.js';
import { primaryIds } from '../../../src/shared/processes/primary-record.js';
import { OWN_VERSIONS } from '../../../src/shared/version.js';
import { FrameSource, deeplyNested, randomFrom } from '../../support/fuzz/frames.js';
import { NODE, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { descriptorsOf } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { specWith } from '../../support/spec.js';
import { until } from '../../support/until.js';

const FRAMES = Number(process.env.FRAMES ?? 2000);
const SEED = 1;
/** At a time, on each of the two sockets. */
const ATTACKERS = 4;
/** Memory is compared with that after a quarter of them. */
const ROUNDS = 20;
/** Fewer than the requests that a server carries out for one client at a time. */
const PER_CONNECTION = 60;
/** Of the heap in use after a garbage collection. */
const MAX_GROWTH_MB = 4;
const MAX_LOG_BYTES = 30 * 2 ** 20;
const GIGABYTE = 2 ** 30;
const HELLO = { ...OWN_VERSIONS, role: 'fuzz', version: '0' };
const DAEMON = fileURLToPath(new URL('../../../src/daemon/main.js', import.meta.url));
const HOOK = fileURLToPath(new URL('../../support/fuzz/report-memory.cjs', import.meta.url));

t.setTimeout(FRAMES * 30 + 120_000);

t.test('wrong frames on both sockets', async (t) => {
  const { ask, port, home, sizes } = await watchedHome(t);
  const paths = homePaths(home);
  const targets = [
    [paths.daemonSocket, 'DaemonMethods'],
    [paths.primary(primaryIds(paths.primariesDir)[0]).socket, 'PrimaryMethods'],
  ];
  const state = async () => {
    const { apps } = await ask('list');
    const { name, primaryPid, workers } = apps[0];
    const ofApp = { name, primaryPid, workers: workers.map(({ pid }) => pid), count: apps.length };
    return { ...ofApp, daemon: (await ask('ping')).pid, desired: desiredIn(paths.desired) };
  };
  const before = await state();
  const load = startLoad(t, { port, clients: 2, thinkMs: 20 });
  const client = startClient(t, ask);
  const random = randomFrom(SEED);
  for (const [socket] of targets) await attackOnce(socket);
  // The buffers of what comes often have reached their size.
  let early;
  const count = Math.ceil(FRAMES / 2 / ATTACKERS / ROUNDS);
  for (let round = 1; round <= ROUNDS; round++) {
    const attacks = targets.flatMap(([socket, type]) =>
      Array.from({ length: ATTACKERS }, () =>
        attack(socket, new FrameSource(randomFrom(random() * 2 ** 32), type), count),
      ),
    );
    await Promise.all(attacks);
    if (round === ROUNDS / 4) early = await sizes();
  }
  t.same(await client.stop(), [], 'no command of another client failed');
  t.match(await load.stop(), { failed: 0, failures: [] });
  t.same(await state(), before, 'the same processes, apps and desired state');
  const isClosed = ({ descriptors }, index) => descriptors <= early[index].descriptors + 2;
  const closed = () => sizes().then((all) => all.every(isClosed) && all);
  for (const [index, { heapMb }] of (await until(closed, 'no socket to be left')).entries()) {
    t.ok(heapMb - early[index].heapMb <= MAX_GROWTH_MB, `${early[index].heapMb} → ${heapMb} MB`);
  }
  const logs = readdirSync(home).filter((name) => /^daemon.*\.log/.test(name));
  const bytes = logs.reduce((sum, name) => sum + statSync(path.join(home, name)).size, 0);
  t.ok(bytes < MAX_LOG_BYTES, `daemon.log has ${bytes} bytes`);
});

/** A home whose daemon and primary report their memory after a garbage collection, with the app `web`. */
async function watchedHome(t) {
  const { root, home, env } = testHome(t);
  const args = ['--expose-gc', '--require', HOOK];
  spawnClean(NODE, [...args, DAEMON, home], { cwd: root, env, stdio: 'ignore' });
  const ask = async (method, params = {}) => {
    const client = await connect(homePaths(home).daemonSocket, { hello: HELLO });
    return client.request(method, params).finally(() => client.close());
  };
  await until(() => ask('ping'), 'the daemon to answer');
  const interpreter = path.join(root, 'node-that-reports');
  writeFileSync(interpreter, `#!/bin/sh\nexec ${NODE} ${args.join(' ')} "$@"\n`);
  chmodSync(interpreter, 0o755);
  const port = await freePort();
  const spec = { interpreter, instances: 1, minUptimeMs: 0, env: { PORT: String(port) } };
  t.match(await ask('start', { specs: [specWith(spec)] }), { apps: [{ ok: true }] });
  const { pid } = await ask('ping');
  const { primaryPid } = (await ask('list')).apps[0];
  const sizes = async () => [await sizeOf(home, pid), await sizeOf(home, primaryPid)];
  return { home, port, ask, sizes };
}

async function sizeOf(home, pid) {
  const file = path.join(home, `memory-${pid}.json`);
  process.kill(pid, 'SIGUSR1');
  const { heapUsed } = await until(
    () => JSON.parse(readFileSync(file, 'utf8')),
    `${pid} to report`,
  );
  rmSync(file);
  return { heapMb: heapUsed / 2 ** 20, descriptors: descriptorsOf(pid).length };
}

/** Without what an app was seen to do, which is saved with the next change. */
function desiredIn(file) {
  return JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
    key === 'listeningRecord' ? undefined : value,
  );
}

/** Sends commands one after the other, each on its own connection, as people do. */
function startClient(t, ask) {
  const failures = [];
  let isOver = false;
  const loop = async () => {
    while (!isOver) {
      const failed = ({ message }) => failures.push(message);
      await ask('list', { selectors: ['web'], fields: ['details'] }).catch(failed);
      await pause(100);
    }
  };
  const done = loop();
  const stop = async () => {
    isOver = true;
    await done;
    return failures;
  };
  t.teardown(stop);
  return { stop };
}

/** Sends frames, connection after connection, and reads the replies. */
async function attack(socketPath, source, count) {
  for (let sent = 0; sent < count; sent += PER_CONNECTION) {
    const socket = await open(socketPath, source.pick([true, true, true, false]));
    const endsWithGarbage = source.pick([true, true, false]);
    const length = Math.min(PER_CONNECTION, count - sent);
    for (let index = 0; index < length && !socket.destroyed; index++) {
      const isGarbage = index === length - 1 && endsWithGarbage;
      socket.write(isGarbage ? source.garbage() : source.request());
    }
    if (endsWithGarbage) socket.write('\n');
    await repliedOrClosed(socket);
    socket.destroy();
  }
}

/** What needs its own connection: a very deep frame, very slow bytes, and a gigabyte without a newline. */
async function attackOnce(socketPath) {
  const deep = await open(socketPath);
  for (const frame of deeplyNested()) deep.write(frame);
  await repliedOrClosed(deep);
  deep.destroy();
  const slow = await open(socketPath);
  for (const character of '{"jsonrpc":"2.0","id":1,"method":"list"') {
    slow.write(character);
    await pause(20);
  }
  slow.destroy();
  const endless = await open(socketPath);
  const part = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < GIGABYTE && !endless.destroyed; sent += part.length) {
    if (!endless.write(part)) await oneOf(endless, ['drain', 'close']);
  }
  endless.destroy();
}

async function open(socketPath, saysHello = true) {
  const socket = net.connect(socketPath);
  socket.on('error', () => {});
  await oneOf(socket, ['connect', 'close']);
  const hello = { jsonrpc: '2.0', id: 0, method: 'hello', params: HELLO };
  if (saysHello) socket.write(`${JSON.stringify(hello)}\n`);
  return socket;
}

function oneOf(socket, events) {
  return new Promise((resolve) => {
    const end = () => {
      for (const event of events) socket.off(event, end);
      resolve(undefined);
    };
    for (const event of events) socket.on(event, end);
  });
}

/** Sends a valid request last: its reply shows that everything before it has been read. */
function repliedOrClosed(socket) {
  return new Promise((resolve) => {
    let tail = '';
    const timer = setTimeout(resolve, 5000);
    const end = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    socket.setEncoding('latin1').on('data', (text) => {
      tail = (tail + text).slice(-200_000);
      if (tail.includes('the-last-one')) end();
    });
    socket.once('close', end);
    if (socket.destroyed) end();
    socket.write('{"jsonrpc":"2.0","id":"the-last-one","method":"no-such-method","params":{}}\n');
  });
}
