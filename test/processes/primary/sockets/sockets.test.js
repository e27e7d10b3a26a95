/** Sockets of an app: while all its workers die, at an address that is busy, and on unix paths that programs unlink. */
import dgram from 'node:dgram';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { basename, join } from 'node:path';
import t from 'tap';
import { MAX_WAITING } from '../../../../src/primary/sockets/queues.js';
import { UnixPaths } from '../../../../src/primary/sockets/listen-hooks.js';
import { machineMs } from '../../../../src/shared/monotonic.js';
import { answerOf, ask, isRefused } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { eventOf, until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

t.test('an app that gives up refuses its clients', async (t) => {
  const spec = await specOf('dies-after-listen.cjs', { maxRestarts: 1 });
  const primary = await startPrimary(t, spec);
  await primary.whenSlot(({ status }) => status === 'errored', 'it to be errored');
  t.ok(await until(() => isRefused(primary.port), 'the socket to be closed'));
});

/** In round-robin scheduling, with a worker that does not listen in time. */
async function waitingForAWorker(t, change) {
  const late = await specOf('listens-late.cjs', {
    ...{ env: { LATE_MS: '600000' }, scheduling: 'round-robin', ...change },
  });
  const primary = await startPrimary(t, { ...late, env: { ...late.env, LATE_MS: '1' } });
  await primary.ask('start');
  t.match(await primary.state(), { connectionsGivenUp: 0 });
  const restarted = primary.ask('restart', { spec: late, generation: 2 }).catch(() => {});
  const isNext = ({ generation, status }) => generation === 2 && status === 'starting';
  await primary.whenSlot(isNext, 'the new worker to be on its way');
  const end = async () => {
    await primary.ask('shutdown').catch(() => {});
    await restarted;
  };
  return { ...primary, end };
}

t.test('round-robin: connections that wait too long are closed', async (t) => {
  const primary = await waitingForAWorker(t, { holdTimeoutMs: 1500 });
  const closed = connect(primary.port, 2).map((socket) => eventOf(socket, 'close'));
  t.equal((await Promise.all(closed)).length, 2, 'not left hanging');
  await primary.end();
});

t.test('round-robin: those beyond the limit are counted, until a reset', async (t) => {
  const primary = await waitingForAWorker(t, {});
  const sockets = connect(primary.port, MAX_WAITING + 1);
  await Promise.race(sockets.map((socket) => eventOf(socket, 'close')));
  t.match(await primary.state(), { connectionsGivenUp: 1 });
  for (const socket of sockets) socket.destroy();
  await primary.ask('reset');
  t.match(await primary.state(), { connectionsGivenUp: 0 });
  await primary.end();
});

t.test('two ports are both held', async (t) => {
  const OTHER_PORT = String(await freePort());
  const primary = await startedPrimary(t, 'two-ports.cjs', { env: { OTHER_PORT } });
  // A start ends when the first one is listened on.
  const { pid } = await primary.whenSlot(({ listening }) => listening.length === 2, 'both');
  process.kill(pid, 'SIGKILL');
  const ports = [primary.port, Number(OTHER_PORT)];
  const answers = await Promise.all(ports.map((port) => ask(port)));
  for (const answer of answers) t.not(answer.pid, pid);
});

async function longOnline(primary, { minUptimeMs }) {
  const { slots } = await primary.state();
  const isOld = ({ status, startedMs }) =>
    status === 'online' && machineMs() - startedMs > 3 * minUptimeMs;
  return slots.every(isOld) && slots;
}

function connect(port, count) {
  return Array.from({ length: count }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
}

/** What a killed worker was answering is lost with it; nothing else may be. */
const othersIn = ({ codes }) => Object.keys(codes).filter((code) => code !== 'ECONNRESET');

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`nobody is refused, nobody waits for ever: ${scheduling}`, async (t) => {
    const adminPort = await freePort();
    const env = { ADMIN_PORT: String(adminPort) };
    const change = { instances: 2, scheduling, maxRestarts: 50, minUptimeMs: 100, env };
    const primary = await startedPrimary(t, 'own-port-in-slot-0.cjs', change);
    const { spec, port } = primary;
    t.match(primary.outcome, { ok: true });
    await until(() => adminOf(primary, adminPort), 'the second port to be listened on');
    const all = startLoad(t, { port, clients: 8, keepAlive: false });
    for (let round = 0; round < 5; round++) {
      await all.answers(20);
      const slots = await until(() => longOnline(primary, spec), 'all to be online for long');
      for (const { pid } of slots) process.kill(pid, 'SIGKILL');
    }
    await all.answers(20);
    t.same(othersIn(await all.stop()), [], 'all workers killed at once');

    await until(() => adminOf(primary, adminPort), 'the second port to be listened on again');
    const load = startLoad(t, { port: adminPort, clients: 4, keepAlive: false });
    for (let round = 0; round < 3; round++) {
      await load.answers(20);
      const { pid } = await until(() => adminOf(primary, adminPort), 'its worker');
      process.kill(pid, 'SIGKILL');
      const isNext = async () =>
        ![undefined, pid].includes((await adminOf(primary, adminPort))?.pid);
      await until(isNext, 'the next worker');
    }
    t.match(await primary.ask('restart', { slots: [0] }), { ok: true });
    await load.answers(20);
    t.match(await primary.ask('reload'), { ok: true });
    await load.answers(20);
    t.same(othersIn(await load.stop()), [], 'a port of slot 0 stays open while it has a worker');

    await primary.ask('stop', { slots: [0] });
    await until(() => isRefused(adminPort), 'the socket of a stopped slot to be closed');
    t.match(await ask(port), { pid: Number }, 'its sibling still serves');
  });
}

async function adminOf(primary, port) {
  const slot = await primary.slot();
  return slot.listening.some(({ address }) => address === `*:${port}`) ? slot : undefined;
}

/** Reserved for documentation, so no machine has it (RFC 5737). */
const NO_HOST = '192.0.2.1';
const SLOTS = [0, 1];

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  const retry = async (t, env, code, free = () => {}) => {
    const change = { env, scheduling, instances: SLOTS.length };
    const primary = await startPrimary(t, await specOf('retries-a-busy-address.cjs', change));
    const outcome = primary.ask('start');
    const says = (line) =>
      until(async () => (await primary.log('out').catch(() => '')).includes(line), line);
    for (const slot of SLOTS) await says(`${slot} ${code}`);
    free();
    const { slots } = await primary.state();
    for (const { slot, pid } of slots) {
      process.kill(pid, 'SIGUSR2');
      await says(`${slot} listens`);
    }
    t.match(await outcome, { ok: true, done: SLOTS });
  };

  for (const kind of ['port', 'unix socket', 'udp']) {
    t.test(`a ${kind} that another process has for a while: ${scheduling}`, async (t) => {
      const at = await addressOf(t, kind);
      const holder = hold(at);
      await eventOf(holder, 'listening');
      await retry(t, { AT: JSON.stringify(at) }, 'EADDRINUSE', () => holder.close());
    });
  }

  t.test(`a port, after a host that is not there: ${scheduling}`, async (t) => {
    const port = await freePort();
    const env = { FAILS_AT: JSON.stringify({ host: NO_HOST, port }), AT: JSON.stringify({ port }) };
    await retry(t, env, 'EADDRNOTAVAIL');
  });

  t.test(`a server that fails while another one of the worker closes: ${scheduling}`, async (t) => {
    const primary = await startedPrimary(t, 'replaces-its-server.cjs', { scheduling });
    const { port, outcome } = primary;
    t.match(outcome, { ok: true });
    await until(async () => (await ask(port)).server === 2, 'the second server to listen');
    t.equal(primary.child.exitCode, null, 'the primary goes on');
  });
}

async function addressOf(t, kind) {
  if (kind === 'unix socket') return { path: join(temporaryDirectory(t), 'socket') };
  const port = await freePort();
  return kind === 'udp' ? { port, protocol: 'udp' } : { port };
}

function hold({ protocol, ...at }) {
  return protocol === 'udp' ? dgram.createSocket('udp4').bind(at) : net.createServer().listen(at);
}

const reached = async (socketPath) => {
  const { body } = await until(() => answerOf({ socketPath }), `an answer at ${socketPath}`);
  return JSON.parse(body);
};

const modeOf = (path) => (statSync(path).mode & 0o777).toString(8);

/**
 * Of two that start at once, one may unlink the file in the moment in which the other one has been
 * told that it listens, and is about to change its mode: that one dies of it, and starts again.
 */
const started = async (primary) => {
  await primary.ask('start');
  const areOnline = ({ slots }) => slots.every(({ status }) => status === 'online');
  await primary.when(areOnline, 'both to be online');
};

/** @returns sockets that listen in it; null: not to be known */
function listeningIn(folder) {
  if (process.platform !== 'linux') return null;
  const isListening = (line) =>
    line.includes(' 00010000 ') && line.includes(`${basename(folder)}/`);
  return readFileSync('/proc/net/unix', 'utf8').split('\n').filter(isListening).length;
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`a program that unlinks its unix socket stays reachable: ${scheduling}`, async (t) => {
    const folder = temporaryDirectory(t);
    const SOCKET = join(folder, 'app.sock');
    const spec = await specOf('unlinks-its-socket.cjs', {
      instances: 2,
      scheduling,
      env: { SOCKET, CHMOD: 'yes' },
    });
    const primary = await startPrimary(t, spec);
    await started(primary);
    t.ok((await reached(SOCKET)).pid, 'after both have removed it');
    const sockets = listeningIn(folder);

    const before = await primary.pids();
    t.match(await primary.ask('reload'), { ok: true });
    t.match(await primary.ask('reload'), { ok: true });
    t.notOk(before.includes((await reached(SOCKET)).pid), 'after reloads, by a new worker');
    t.equal(modeOf(SOCKET), '666');
    t.equal(listeningIn(folder), sockets, 'no reload adds a socket');

    t.match(await primary.ask('stop'), { ok: true });
    await until(() => readdirSync(folder).length === 0, 'the file to be gone');
    await started(primary);
    t.ok((await reached(SOCKET)).pid, 'after a stop and a start');
  });
}

t.test('a version that unlinks it and then fails leaves the old one reachable', async (t) => {
  const folder = temporaryDirectory(t);
  const SOCKET = join(folder, 'app.sock');
  const change = { instances: 2, env: { SOCKET } };
  const primary = await startedPrimary(t, 'unlinks-its-socket.cjs', change);
  const { spec } = primary;
  const mode = modeOf(SOCKET);
  t.match(mode, /^(666|777)$/, 'as this version of Node understands it');
  const bad = { ...spec, env: { ...spec.env, FAILS: 'yes' } };
  t.match(await primary.ask('reload', { spec: bad, generation: 2 }), { ok: false });
  const pids = await primary.pids();
  t.ok(pids.includes((await reached(SOCKET)).pid));
  t.equal(modeOf(SOCKET), mode);
});

t.test('a relative path', async (t) => {
  const cwd = temporaryDirectory(t);
  const env = { SOCKET: 'app.sock' };
  const spec = await specOf('unlinks-its-socket.cjs', { instances: 2, cwd, env });
  const primary = await startPrimary(t, spec);
  await started(primary);
  t.ok((await reached(join(cwd, 'app.sock'))).pid);
});

t.test('a file that a killed primary left is removed, that of another socket is not', async (t) => {
  const folder = temporaryDirectory(t);
  const path = join(folder, 'app.sock');
  const owner = { home: '/home/a', app: 'api' };
  const killed = new UnixPaths(owner);
  writeFileSync(path, 'in place of a socket');
  t.ok(killed.protect(path, {}));
  for (const other of [
    { ...owner, app: 'web' },
    { ...owner, home: '/home/b' },
  ]) {
    new UnixPaths(other).removeStale(path);
  }
  killed.removeStale(path);
  t.ok(statSync(path), 'it is in use');
  const next = new UnixPaths(owner);
  next.removeStale(path);
  t.notOk(existsSync(path));
  writeFileSync(path, 'of another program');
  next.removeStale(path);
  t.ok(statSync(path));
  rmSync(path);
  writeFileSync(path, 'the next one');
  t.ok(next.protect(path, {}), 'the second link is replaced');
});
