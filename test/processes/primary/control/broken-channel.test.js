/** Whatever a program does to its channel or sends on it, the primary keeps running and replaces the worker. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { descriptorsOf, isRunning } from '../../../support/processes.js';
import { eventOf, until } from '../../../support/until.js';
import { MODES, startedPrimary } from '../../primary-under-test.js';

t.test('the program breaks or closes its channel', async (t) => {
  const change = { drainTimeoutMs: 500 };
  const primary = await startedPrimary(t, 'breaks-channel.cjs', change);
  const before = await primary.slot();
  await ask(primary.port, '/garbage');
  const after = await primary.successor(before.pid);
  t.match(after, { restarts: 1, lastExit: { signal: 'SIGKILL' } });
  t.matchSnapshot(after.lastExit.reason, 'reason');

  await ask(primary.port, '/disconnect');
  const third = await primary.successor(after.pid);
  t.equal((await ask(primary.port)).pid, third.pid);

  await ask(primary.port, '/close');
  t.match(await primary.ask('reload'), { ok: true, done: [0] });
  t.match(await primary.ask('stop'), { ok: true, done: [0] });
});

t.test('a worker that breaks its channel takes no connection with it', async (t) => {
  const change = { instances: 2, maxRestarts: 100 };
  const primary = await startedPrimary(t, 'breaks-channel.cjs', change);
  for (let round = 0; round < 8; round++) {
    await ask(primary.port, '/garbage');
    const codes = await Promise.all(
      Array.from({ length: 40 }, () => codeOf(ask(primary.port, '/slow'))),
    );
    t.same(
      codes.filter((code) => !['answered', 'ECONNRESET'].includes(code)),
      [],
      'nobody waits forever',
    );
    await primary.when(
      ({ slots }) => slots.every(({ status }) => status === 'online'),
      'all to be online',
    );
  }
});

const codeOf = (answer) =>
  answer.then(
    () => 'answered',
    ({ code, message }) => code ?? message,
  );

const exited = async (primary, pid) =>
  (await primary.whenSlot((slot) => slot.pid !== pid && slot.lastExit, 'it to end')).lastExit;

for (const path of ['/cluster', '/process']) {
  t.test(`${path}: the program closes its channel and lives on`, async (t) => {
    const change = { drainTimeoutMs: 1000 };
    const primary = await startedPrimary(t, 'disconnects.cjs', change);
    const { pid } = await ask(primary.port, path);
    const { pid: next } = await primary.successor(pid);
    t.equal((await ask(primary.port)).pid, next);
    await until(() => !isRunning(pid), 'the old one to end');
    t.match(await exited(primary, pid), { signal: 'SIGTERM' });
    t.match(await primary.slot(), { status: 'online', restarts: 1 });
  });
}

t.test('requests in flight are answered, while its successor serves', async (t) => {
  const change = { drainTimeoutMs: 60_000 };
  const primary = await startedPrimary(t, 'disconnects.cjs', change);
  const release = `${t.testdir({})}/release`;
  const waiting = ask(primary.port, `/wait?${release}`);
  await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
  const { pid } = await ask(primary.port, '/process');
  const { pid: next } = await primary.successor(pid);
  t.equal((await ask(primary.port)).pid, next);
  t.ok(isRunning(pid));
  writeFileSync(release, '');
  t.equal((await waiting).pid, pid);
  t.matchSnapshot((await exited(primary, pid)).reason, 'reason');
});

t.test('where its exit code decides, its exit is awaited', async (t) => {
  const change = { autorestart: false, drainTimeoutMs: 500, killTimeoutMs: 500 };
  const primary = await startedPrimary(t, 'disconnects.cjs', change);
  await ask(primary.port, '/cluster');
  const errored = await primary.whenSlot((slot) => slot.status === 'errored', 'it to be given up');
  t.matchSnapshot(errored.reason, 'reason');
});

t.test('fork mode', async (t) => {
  const primary = await startedPrimary(t, 'breaks-channel.cjs', MODES.fork);
  const { pid } = await primary.slot();
  await until(() => ask(primary.port, '/garbage'), 'an answer');
  await primary.successor(pid);
  await until(() => ask(primary.port, '/close'), 'an answer');
  t.match(await primary.ask('stop'), { ok: true, done: [0] });
});

/** Messages that look like those of Node, node:cluster and the agent, but are wrong. */
const FORGED = [
  { cmd: 'NODE_' },
  { cmd: 'NODE_HANDLE' },
  { cmd: 'NODE_HANDLE_ACK' },
  { cmd: 'NODE_HANDLE_NACK' },
  { cmd: 'NODE_SOCKET_ALL_CLOSED', key: 'x' },
  ...['online', 'listening', 'close', '__proto__', 'constructor', 7].map((act) => ({
    cmd: 'NODE_CLUSTER',
    act,
    key: 'x',
    data: null,
  })),
  { cmd: 'NODE_CLUSTER', act: 'queryServer', port: 99_999_999, addressType: 4, index: 0 },
  { cmd: 'NODE_CLUSTER', act: 'queryServer', address: {}, port: 'x', addressType: 'udp4' },
  { cmd: 'NODE_CLUSTER', ack: 1, accepted: false },
  ...['listening', 'closed', 'drained', 'settled', 'constructor', '__proto__', {}].map((type) => ({
    cmd: 'NODE_NODECLUSTER',
    type,
    name: { startsWith: 1 },
    open: 'many',
  })),
];

for (const [name, mode] of Object.entries(MODES)) {
  t.test(`messages that only look like Node's own: ${name}`, async (t) => {
    const change = { maxRestarts: 100, ...mode };
    const primary = await startedPrimary(t, 'sends-odd-messages.cjs', change);
    for (const message of [null, 0, '', [], {}, 'ready', { cmd: {} }, ...FORGED]) {
      const path = `/?${encodeURIComponent(JSON.stringify(message))}`;
      await until(() => ask(primary.port, path), 'an answer');
      await t.resolves(primary.state(), path);
    }
    // What the worker had sent before it ended has come when another one is there.
    t.match(await primary.ask('restart'), { ok: true });
  });
}

/** @returns its descriptors, but for a record that is being written, a log to say that a worker hangs, and a look at /proc */
function openIn({ child }) {
  if (process.platform !== 'linux') return [];
  return descriptorsOf(child.pid).filter((each) => !/\.(tmp|log)$|^\/proc\//.test(each));
}

async function untilOpen(primary, before, when) {
  const areSame = () => {
    const now = openIn(primary);
    if (now.length === before.length) return true;
    throw new Error(`${before.join(' ')}, now ${now.join(' ')}`);
  };
  await until(areSame, `the descriptors as before ${when}`);
}

t.test('a worker cannot open or close what belongs to its primary, or fill it', async (t) => {
  const primary = await startedPrimary(t, 'sends-odd-messages.cjs', { maxRestarts: 100 });
  const before = openIn(primary);
  t.strictSame(await ask(primary.port, '/fds'), ['EINVAL']);
  await untilOpen(primary, before, 'they were sent');
  t.strictSame(await ask(primary.port, '/servers'), ['listening', 'EMFILE']);
  await ask(primary.port, '/long');
  const lastExit = await primary.when(({ slots: [slot] }) => slot.lastExit, 'its exit');
  t.match(lastExit, { signal: 'SIGKILL', reason: 'sent its parent a message of more than 16 MB' });
  t.strictSame(await ask(primary.port, '/fds'), ['EINVAL'], 'it still serves');
});

t.test('a worker that reports more addresses than a program has', async (t) => {
  const primary = await startedPrimary(t, 'sends-odd-messages.cjs');
  await ask(primary.port, '/many');
  const last = await until(async () => {
    const { slots } = await primary.state();
    return slots[0].listening.length >= 100 && slots[0];
  }, 'the reports');
  t.equal(last.listening.length, 100);
  t.match(await primary.ask('restart'), { ok: true });
});

t.test('a connection that a program sends to its parent is closed', async (t) => {
  const primary = await startedPrimary(t, 'sends-odd-messages.cjs');
  const client = connect(primary.port, '127.0.0.1');
  t.teardown(() => client.destroy());
  client.resume().write('GET /socket HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventOf(client, 'close');
  await ask(primary.port, '/close').catch(() => {});
  t.match(await primary.ask('stop'), { ok: true });
  const said = async () => (await primary.log('out')).includes('its server is closed');
  t.ok(await until(said, 'it to close its server, which waits for the parent'));
});

const TYPES = ['net.Native', 'net.Socket', 'net.Server', 'dgram.Native', 'dgram.Socket', 'none'];

t.test('a primary keeps and opens no descriptor that a worker sends', async (t) => {
  const primary = await startedPrimary(t, 'sends-descriptors.cjs', { maxRestarts: 100 });
  const before = openIn(primary);
  for (const type of TYPES) {
    await ask(primary.port, `/${type}`);
    const { pid } = await primary.slot();
    process.kill(pid, 'SIGKILL');
    await primary.successor(pid);
    // Those of the client and of the killed worker are closed a moment later.
    await t.resolves(untilOpen(primary, before, type));
  }
});

t.test('forged replies', async (t) => {
  const primary = await startedPrimary(t, 'forges-replies.cjs');
  t.match(await primary.ask('restart'), { ok: true });
  t.match(await primary.ask('reload'), { ok: true });
});

t.test('forged acknowledgements of connections that others have accepted', async (t) => {
  const change = { instances: 3, scheduling: 'round-robin' };
  const primary = await startedPrimary(t, 'forges-acknowledgements.cjs', change);
  const load = startLoad(t, { port: primary.port, clients: 24, keepAlive: false });
  await load.answers(20);
  for (const forge of [true, false]) {
    t.match(await primary.ask('send', { slots: [0], message: { forge } }), { sent: [0] });
    await load.answers(400);
  }
  t.match(await load.stop(), { failed: 0, failures: [] });
  const online = { status: 'online', restarts: 0 };
  t.match((await primary.state()).slots, [online, online, online]);
});

const MB = 1024 ** 2;

/** @returns the most memory that it has had, in bytes */
function peakOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

const cases = [
  {
    what: 'one message that never ends',
    text: 'x',
    reason: 'sent its parent a message of more than 16 MB',
  },
  {
    what: 'requests whose replies it never reads',
    text: '{"cmd":"NODE_SOCKET_GET_COUNT","key":"a"}\n',
    reason: 'did not read 10000 replies from its parent',
  },
];

for (const { what, text, reason } of cases) {
  t.test(`${what} does not fill the primary`, { skip: process.platform !== 'linux' }, async (t) => {
    const primary = await startedPrimary(t, 'sends-without-end.cjs', { instances: 2 });
    const before = peakOf(primary.child.pid);
    const load = startLoad(t, { port: primary.port, clients: 2, keepAlive: false });
    const file = join(t.testdir({}), 'written');
    await primary.ask('send', { slots: [0], message: { fill: file, text } });
    const exit = await primary.when(({ slots: [slot] }) => slot.lastExit, 'its exit');
    t.match(exit, { signal: 'SIGKILL', reason });
    await load.answers(20);
    t.match(await load.stop(), { failed: 0, failures: [] });
    const written = Number(readFileSync(file, 'utf8'));
    const grown = peakOf(primary.child.pid) - before;
    t.comment(`${Math.round(written / MB)} MB written, peak ${Math.round(grown / MB)} MB more`);
    t.ok(written < 1024 * MB, 'it does not get to the end');
    t.ok(grown < 128 * MB, 'a part of the gigabyte');
    t.match((await primary.state()).slots[1], { status: 'online', restarts: 0 });
  });
}
