/** Whatever a program does to its channel, the primary keeps running and replaces the worker. */
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { descriptorsOf, isRunning } from '../../../support/processes.js';
import { eventOf, until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

t.test('the program breaks or closes its channel', async (t) => {
  const change = { drainTimeoutMs: 500 };
  const primary = await startedPrimary(t, 'breaks-channel.cjs', change);
  const before = await primary.state();
  await ask(primary.port, '/garbage');
  const after = await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'online' && slot.pid !== before.slots[0].pid && slot;
  }, 'a replacement');
  t.match(after, { restarts: 1, lastExit: { signal: 'SIGKILL' } });
  t.matchSnapshot(after.lastExit.reason, 'reason');

  await ask(primary.port, '/disconnect');
  const third = await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'online' && slot.pid !== after.pid && slot;
  }, 'another');
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

const exited = (primary, pid) =>
  until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.pid !== pid && slot.lastExit;
  }, 'it to end');

const successor = (primary, pid) =>
  primary.when(
    ({ slots: [slot] }) => slot.status === 'online' && slot.pid !== pid && slot,
    'a successor',
  );

for (const path of ['/cluster', '/process']) {
  t.test(`${path}: the program closes its channel and lives on`, async (t) => {
    const change = { drainTimeoutMs: 1000 };
    const primary = await startedPrimary(t, 'disconnects.cjs', change);
    const { pid } = await ask(primary.port, path);
    const { pid: next } = await successor(primary, pid);
    t.equal((await ask(primary.port)).pid, next);
    await until(() => !isRunning(pid), 'the old one to end');
    t.match(await exited(primary, pid), { signal: 'SIGTERM' });
    t.match((await primary.state()).slots, [{ status: 'online', restarts: 1 }]);
  });
}

t.test('requests in flight are answered, while its successor serves', async (t) => {
  const change = { drainTimeoutMs: 60_000 };
  const primary = await startedPrimary(t, 'disconnects.cjs', change);
  const release = `${t.testdir({})}/release`;
  const waiting = ask(primary.port, `/wait?${release}`);
  await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
  const { pid } = await ask(primary.port, '/process');
  const { pid: next } = await successor(primary, pid);
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
  const errored = await primary.when(
    ({ slots: [slot] }) => slot.status === 'errored' && slot,
    'it to be given up',
  );
  t.matchSnapshot(errored.reason, 'reason');
});

t.test('fork mode', async (t) => {
  const fork = { execMode: 'fork', interpreter: process.execPath };
  const primary = await startedPrimary(t, 'breaks-channel.cjs', fork);
  const before = await primary.state();
  await until(() => ask(primary.port, '/garbage'), 'an answer');
  await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'online' && slot.pid !== before.slots[0].pid;
  }, 'a replacement');
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

for (const fork of [{}, { execMode: 'fork', interpreter: process.execPath }]) {
  t.test(`messages that only look like Node's own: ${fork.execMode ?? 'cluster'}`, async (t) => {
    const change = { maxRestarts: 100, ...fork };
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

/** @returns how many descriptors it has, but for a record that is being written, and a log to say that a worker hangs */
function openIn({ child }) {
  if (process.platform !== 'linux') return 0;
  return descriptorsOf(child.pid).filter((each) => !/\.(tmp|log)$/.test(each)).length;
}

t.test('a worker cannot open or close what belongs to its primary, or fill it', async (t) => {
  const primary = await startedPrimary(t, 'sends-odd-messages.cjs', { maxRestarts: 100 });
  const before = openIn(primary);
  t.strictSame(await ask(primary.port, '/fds'), ['EINVAL']);
  await until(() => openIn(primary) === before, 'the descriptors that it had');
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
    const { pid } = (await primary.state()).slots[0];
    process.kill(pid, 'SIGKILL');
    await successor(primary, pid);
    // Those of the client and of the killed worker are closed a moment later.
    const areClosed = () => openIn(primary) === before;
    t.ok(await until(areClosed, `descriptors as before ${type}`));
  }
});
