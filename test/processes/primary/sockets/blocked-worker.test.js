/** A worker that is blocked delays none but those whom it has accepted; a primary that retires loses no connection. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { connectChannel } from '../../../../src/protocol/handle-channel.js';
import { answerOf, ask } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { eventOf, until, within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const WORKERS = 3;

async function started(t, scheduling) {
  const change = { instances: WORKERS, scheduling };
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
  const pids = await primary.pids();
  const release = `${t.testdir()}/release`;
  t.teardown(() => writeFileSync(release, ''));
  return {
    primary,
    pids,
    async block(count) {
      const blocked = new Set();
      while (blocked.size < count) {
        blocked.add((await ask(primary.port, `/block?${release}`)).pid);
      }
      return [...blocked];
    },
    release: () => writeFileSync(release, ''),
    requests: (count) => Promise.all(Array.from({ length: count }, () => ask(primary.port))),
    async areServed(served) {
      const answered = new Set();
      while (served.some((pid) => !answered.has(pid))) answered.add((await ask(primary.port)).pid);
    },
  };
}

for (const scheduling of ['round-robin', 'fair']) {
  t.test(`all but one are blocked: ${scheduling}`, async (t) => {
    const { pids, block, release, requests, areServed } = await started(t, scheduling);
    const blocked = await block(WORKERS - 1);
    const [free] = pids.filter((pid) => !blocked.includes(pid));
    for (const { pid } of await requests(30)) t.equal(pid, free);
    release();
    await within(areServed(pids), 'all to serve again');
  });
}

t.test('all but one are stopped by a signal, again and again', async (t) => {
  const { primary, pids, areServed } = await started(t, 'round-robin');
  const load = startLoad(t, { port: primary.port, clients: 12, keepAlive: false, anyAnswer: true });
  for (const free of pids) {
    const stopped = pids.filter((pid) => pid !== free);
    await load.answers(20);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    // Those that a stopped worker has accepted wait for it, so fewer clients than before go on.
    await within(areServed([free]), 'the one that is left');
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
  await within(areServed(pids), 'all to serve again');
  t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('all are blocked: connections wait', async (t) => {
  const { block, release, requests, primary } = await started(t, 'round-robin');
  await block(WORKERS);
  let isAnswered = false;
  const answers = requests(20).finally(() => (isAnswered = true));
  // Answered by a primary that is not blocked, after the connections have arrived.
  await primary.state();
  t.notOk(isAnswered);
  release();
  t.equal((await answers).length, 20);
  t.match(await primary.state(), { connectionsGivenUp: 0 });
});

t.test('a blocked worker that dies: another one has its connections', async (t) => {
  const { pids, block, requests } = await started(t, 'round-robin');
  const blocked = await block(WORKERS - 1);
  const [free] = pids.filter((pid) => !blocked.includes(pid));
  const answers = requests(20);
  for (const pid of blocked) process.kill(pid, 'SIGKILL');
  t.equal((await answers).length, 20);
  t.ok((await answers).some(({ pid }) => pid === free));
});

/** A connection on its way to the last worker of a socket: when both close, its client must notice. */
const kinds = {
  'a unix socket': (folder) => ({ env: { PORT: join(folder, 'app.sock') } }),
  'port 0': () => ({ env: { PORT: '0' } }),
  'a port of which nobody takes over': () => ({ autorestart: false }),
};
const cases = Object.entries(kinds).flatMap(([kind, changeOf]) =>
  ['round-robin', 'fair'].map((scheduling) => ({ kind, changeOf, scheduling })),
);
for (const { kind, changeOf, scheduling } of cases) {
  t.test(`the last worker of ${kind} dies: ${scheduling}`, async (t) => {
    const folder = temporaryDirectory(t);
    const change = { scheduling, ...changeOf(folder) };
    const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
    const { pid, listening } = await primary.slot();
    const address = addressOf(listening[0].address);
    const { path: socketPath, ...port } = address;
    await answerOf({ socketPath, ...port, path: `/block?${join(folder, 'never')}` });

    const client = net.connect(address).on('error', () => {});
    t.teardown(() => client.destroy());
    // From the kernel's queue it is reset.
    const closed = within(new Promise((resolve) => client.once('close', resolve)), 'its end');
    await once(client, 'connect');
    // If the primary accepts, it has accepted it when it has answered a second time.
    await primary.state();
    await primary.state();
    process.kill(pid, 'SIGKILL');
    await closed;
    t.pass('it is closed');
  });
}

function addressOf(listening) {
  if (listening.startsWith('/')) return { path: listening };
  return { port: Number(listening.slice(listening.lastIndexOf(':') + 1)), host: '127.0.0.1' };
}

const CONNECTIONS = 20;
const BLOCKED_MS = 1500;
const TIMEOUT_MS = 20_000;

async function socketOf(primary) {
  const channel = await connectChannel(primary.paths.primary(1).handover, TIMEOUT_MS);
  channel.send({});
  const [, handle] = await eventOf(channel, 'message', TIMEOUT_MS);
  channel.send({});
  return handle;
}

function askOnce(port, path = '/', onConnected = () => {}) {
  const answer = new Promise((resolve, reject) => {
    const asked = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve(body));
    });
    asked.on('error', reject);
    asked.on('socket', (socket) => socket.once('connect', onConnected));
  });
  return within(answer, 'an answer');
}

t.test('what they hand over when it is asked to retire', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { scheduling: 'fair', instances: 2 });
  const handle = await socketOf(primary);
  const kept = net.connect(primary.port, '127.0.0.1');
  t.teardown(() => kept.destroy());
  await askOnce(primary.port);

  // It reads the request first, and then what the workers have sent meanwhile.
  process.kill(primary.child.pid, 'SIGSTOP');
  const ended = primary.ask('shutdown', { goesOn: 'elsewhere' });
  let answered = 0;
  const asked = Array.from({ length: CONNECTIONS }, () => askOnce(primary.port));
  for (const each of asked) void each.then(() => answered++).catch(() => {});
  await until(() => answered > 0, 'what exceeds the share of a worker to be handed over');
  process.kill(primary.child.pid, 'SIGCONT');
  // Instead of the next primary.
  const successor = http.createServer((_request, response) => response.end('successor'));
  successor.listen(handle);
  t.teardown(() => successor.close());

  const answers = await Promise.all(asked);
  t.equal(answers.length, CONNECTIONS);
  kept.destroy();
  t.match(await within(ended, 'its end'), { ok: true });
});

t.test('what waits in it for a worker that is blocked', async (t) => {
  const change = { scheduling: 'round-robin', instances: 1 };
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
  const file = join(t.testdir(), 'free');
  await askOnce(primary.port, `/block?${file}`);
  const before = (await primary.slot()).pid;
  let connected = 0;
  const asked = Array.from({ length: 5 }, () => askOnce(primary.port, '/', () => connected++));
  await until(() => connected === asked.length, 'all to be connected');
  // Node 22 and newer accept one in each turn of the event loop, and a reply takes at least one.
  for (let turn = 0; turn <= asked.length; turn += 1) await primary.state();
  const ended = primary.ask('shutdown', { goesOn: 'elsewhere' });
  await pause(BLOCKED_MS);
  writeFileSync(file, '');
  for (const answer of await Promise.all(asked)) t.equal(JSON.parse(answer).pid, before);
  t.match(await within(ended, 'its end'), { ok: true });
});
