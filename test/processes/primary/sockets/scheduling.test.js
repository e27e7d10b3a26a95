/** `scheduling`: who gets a connection, and nothing is lost on the way; a replacement gets none before it is online. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { chooseOwn } from '../../../../src/primary/sockets/queues.js';
import { app } from '../../../support/home.js';
import { answerOf, ask } from '../../../support/http-ask.js';
import { clientAddress, startLoad } from '../../../support/http-load.js';
import { descriptorsOf } from '../../../support/processes.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { until, within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

async function startFair(t, change, script = 'http-pid.cjs') {
  const primary = await startedPrimary(t, script, { scheduling: 'fair', ...change });
  const { spec } = primary;
  return { spec, primary };
}

/** Opens connections that stay open. */
function keeper(t, port) {
  const open = [];
  const close = () => open.splice(0).forEach((socket) => socket.destroy());
  t.teardown(close);
  const keep = () =>
    within(
      new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1').on('error', reject);
        open.push(socket);
        socket.write('GET / HTTP/1.1\r\nHost: app\r\n\r\n');
        socket.on('close', () => reject(new Error('closed without an answer')));
        socket.once('data', (data) => resolve(Number(/"pid":(\d+)/.exec(String(data))?.[1])));
      }),
      'an answer',
    );
  return { keep, close };
}

function counts(pids) {
  const byPid = new Map();
  for (const pid of pids) byPid.set(pid, (byPid.get(pid) ?? 0) + 1);
  return [...byPid.values()].sort((a, b) => a - b);
}

t.test('connections that stay open are spread evenly, whatever comes and goes', async (t) => {
  const { spec, primary } = await startFair(t, { instances: 4 });
  const { keep, close } = keeper(t, primary.port);
  const pids = [];
  for (let count = 0; count < 80; count++) pids.push(await keep());
  const shares = counts(pids);
  t.equal(shares.length, 4, 'all have some');
  t.ok(shares[3] <= 23, `opened one by one: ${shares}`);

  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2, 3, 4] }), { ok: true });
  const newcomer = (await primary.state()).slots[4].pid;
  const later = [];
  for (let count = 0; count < 20; count++) later.push(await keep());
  t.ok(later.filter((pid) => pid === newcomer).length >= 12, 'a worker that has none gets them');

  const { pid: killed } = await primary.slot();
  process.kill(killed, 'SIGSTOP');
  const meanwhile = [];
  for (let count = 0; count < 40; count++) meanwhile.push(await keep());
  t.notOk(meanwhile.includes(killed), 'nobody waits for a worker that is blocked');
  process.kill(killed, 'SIGKILL');
  close();
  await until(async () => {
    const { status, pid } = await primary.slot();
    return status === 'online' && pid !== killed;
  }, 'its successor');
  const atOnce = counts(await Promise.all(Array.from({ length: 60 }, keep)));
  // On a busy machine some of the five are late, and who is late gets none.
  t.ok(atOnce.length > 2, `all at once: ${atOnce}`);
});

t.test('while workers die in the middle of it, only their own connections are lost', async (t) => {
  const { primary } = await startFair(t, { instances: 3, maxRestarts: 1000 });
  const options = { port: primary.port, keepAlive: false, clients: 24, failuresKept: 100 };
  const load = startLoad(t, options);
  for (let kill = 0; kill < 5; kill++) {
    await load.answers(150);
    const slots = (await primary.state()).slots.filter(({ status }) => status === 'online');
    process.kill(slots[kill % slots.length].pid, 'SIGKILL');
  }
  await load.answers(150);
  const { failed, codes } = await load.stop();
  t.notOk(codes.NO_ANSWER, 'no client waits for ever');
  t.notOk(codes.ECONNREFUSED);
  t.ok(failed <= 5 * 24, `${failed} were with a worker that was killed`);
});

t.test('a primary that is stopped: the workers serve what they accept', async (t) => {
  const { primary } = await startFair(t, { instances: 2 });
  const { keep } = keeper(t, primary.port);
  for (let count = 0; count < 20; count++) await keep();
  const { pid } = primary.child;
  const open = () => (process.platform === 'linux' ? descriptorsOf(pid).length : 0);
  const before = open();
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => primary.child.kill('SIGCONT'));
  t.equal((await Promise.all(Array.from({ length: 200 }, keep))).length, 200);
  process.kill(pid, 'SIGCONT');
  t.equal((await Promise.all(Array.from({ length: 50 }, keep))).length, 50, 'when it continues');
  // One more may have been on its way when they were counted.
  await until(() => open() <= before, 'its copies to be closed');
});

t.test('a primary that is stopped for as long as a lease, again and again', async (t) => {
  const { primary } = await startFair(t, { instances: 3 });
  const load = startLoad(t, { port: primary.port, keepAlive: false, clients: 40 });
  for (const ms of [480, 490, 500, 510, 520]) {
    await load.answers(100);
    primary.child.kill('SIGSTOP');
    await pause(ms);
    primary.child.kill('SIGCONT');
  }
  await load.answers(200);
  t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('a primary that is killed takes nothing with it that it has not confirmed', async (t) => {
  const { primary } = await startFair(t, { instances: 2 });
  const { keep } = keeper(t, primary.port);
  for (let count = 0; count < 20; count++) await keep();
  process.kill(primary.child.pid, 'SIGSTOP');
  const asked = Array.from({ length: 100 }, keep);
  let answered = 0;
  for (const each of asked) each.then(() => answered++);
  await until(async () => answered >= 60, 'answers to all that were not handed over');
  process.kill(primary.child.pid, 'SIGKILL');
  t.equal((await Promise.all(asked)).length, 100);
});

t.test('a worker at its maxConnections hands over what exceeds it', async (t) => {
  const { primary } = await startFair(t, { instances: 2, env: { MAX_CONNECTIONS: '10' } });
  const { keep } = keeper(t, primary.port);
  const pids = [];
  for (let count = 0; count < 20; count++) pids.push(await keep());
  t.same(counts(pids), [10, 10]);
});

t.test('a worker that fails its health check hands everything on', async (t) => {
  const directory = temporaryDirectory(t);
  const health = { http: '/health', exec: null, intervalMs: 100, timeoutMs: 10_000, failures: 2 };
  const change = {
    instances: 2,
    env: { HEALTH_DIR: directory, SERVES_ALWAYS: 'yes' },
    health: { ...health, startPeriodMs: 20_000 },
  };
  const { primary } = await startFair(t, change, 'health.cjs');
  const { pid } = await primary.slot();
  // Its successors too, so it stays.
  writeFileSync(`${directory}/slot-0`, '503 no database');
  await primary.when(({ slots: [slot] }) => slot.health?.status === 'unhealthy', 'the failure');
  const { keep } = keeper(t, primary.port);
  // The worker is notified a moment later.
  const isAvoided = async () => !(await Promise.all([1, 2, 3, 4].map(keep))).includes(pid);
  await until(isAvoided, 'connections that others have');
  const pids = [];
  for (let count = 0; count < 20; count++) pids.push(await keep());
  t.notOk(pids.includes(pid));
});

const onlyOnLinux = process.platform === 'linux' ? false : 'needs many local addresses';
const CLIENTS = Array.from({ length: 24 }, (_, index) => clientAddress(index));

async function pidFor(port, localAddress) {
  return JSON.parse((await answerOf({ port, localAddress })).body).pid;
}

async function slotsOf(primary) {
  const { slots } = await primary.state();
  const pids = slots.map(({ pid }) => pid);
  const answers = await Promise.all(CLIENTS.map((client) => pidFor(primary.port, client)));
  return answers.map((pid) => pids.indexOf(pid));
}

t.test('clients keep their slot', { skip: onlyOnLinux }, async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3, scheduling: 'sticky' });
  const { spec } = primary;
  const first = await slotsOf(primary);
  t.same([...new Set(first)].sort(), [0, 1, 2], 'all workers are used');
  t.same(await slotsOf(primary), first, 'the next connections');

  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0, 1, 2] });
  t.same(await slotsOf(primary), first, 'after a reload');

  const { pid } = await primary.slot();
  process.kill(pid, 'SIGSTOP');
  const waiting = CLIENTS.map((client) => pidFor(primary.port, client));
  const quick = waiting.filter((_, index) => first[index] !== 0);
  await Promise.all(quick);
  process.kill(pid, 'SIGKILL');
  t.notOk((await Promise.all(waiting)).includes(pid), 'what a killed worker had not taken');
  await until(async () => {
    const { status, pid: next } = await primary.slot();
    return status === 'online' && next !== pid;
  }, 'its successor');
  t.same(await slotsOf(primary), first, 'after a crash they come back');

  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2, 3] }), { ok: true });
  const scaled = await slotsOf(primary);
  for (const [index, slot] of scaled.entries()) t.ok([first[index], 3].includes(slot));
  t.match(await primary.ask('scale', { spec, slots: [0, 1, 2] }), { ok: true });
  t.same(await slotsOf(primary), first, 'after scaling up and down');
});

t.test('a worker that cannot take it is passed over', (t) => {
  const client = {
    getpeername: (out) => Object.assign(out, { address: '192.0.2.7' }),
  };
  const servers = [0, 1, 2].map((slot) => ({ slot, key: 'key', worker: { connected: true } }));
  const own = chooseOwn(client, servers);
  t.ok(own);
  own.worker.connected = false;
  const second = chooseOwn(client, servers);
  t.ok(second && second !== own, 'its channel is closed');
  t.equal(chooseOwn(client, [own]), own, 'there is no other one');
  t.equal(chooseOwn(client, []), null, 'nobody listens');
  t.end();
});

const isLinux = process.platform === 'linux';

function toldReady(spec, folder) {
  const script = app('ready-when-file-exists.cjs');
  const env = { ...spec.env, FOLDER: folder };
  return { ...spec, script, env, waitReady: true, listenTimeoutMs: 120_000 };
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(scheduling, { skip: scheduling === 'sticky' && !isLinux }, async (t) => {
    const folder = t.testdir();
    const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2, scheduling });
    const { spec, port } = primary;
    const many = { keepAlive: false, clients: 8, manyAddresses: true };
    const load = startLoad(t, { port, ...many });
    await load.answers(20);
    const env = { ...spec.env, LIVES_MS: '300' };
    const bad = { ...spec, env, script: app('dies-after-listen.cjs'), minUptimeMs: 60_000 };
    for (const generation of [2, 3]) {
      const order = { spec: bad, generation, parallel: generation - 1 };
      const outcome = await primary.ask('reload', order);
      t.match(outcome, { ok: false, done: [], kept: [0, 1], minReady: 2 }, 'it listens and dies');
    }
    await load.answers(20);

    const before = await primary.pids();
    const ready = toldReady(spec, folder);
    const reloaded = primary.ask('reload', { spec: ready, generation: 4 });
    for (const slot of [0, 1]) {
      await until(() => existsSync(`${folder}/LISTENS_${slot}`), 'the replacement to listen');
      await load.answers(50);
      const served = newcomer(load, before);
      writeFileSync(`${folder}/READY_${slot}`, '');
      await within(served, 'the replacement to serve');
    }
    t.match(await reloaded, { ok: true, done: [0, 1], minReady: 2 });
    t.match(await load.stop(), { failed: 0, failures: [] });

    // The only worker that is left serves at once.
    const alone = { ...ready, instances: 1, env: { ...ready.env, FOLDER: `${folder}/alone` } };
    await primary.ask('scale', { spec: { ...ready, instances: 1 }, slots: [0] });
    mkdirSync(alone.env.FOLDER);
    const { pid } = await primary.slot();
    const next = primary.ask('reload', { spec: alone, generation: 5 });
    await until(() => existsSync(`${alone.env.FOLDER}/LISTENS_0`), 'the replacement to listen');
    t.equal((await ask(port)).pid, pid, 'the old one serves');
    process.kill(pid, 'SIGSTOP');
    const asked = [1, 2, 3, 4].map(() => ask(port));
    process.kill(pid, 'SIGKILL');
    for (const answer of await Promise.all(asked)) t.not(answer.pid, pid);
    writeFileSync(`${alone.env.FOLDER}/READY_0`, '');
    await next;
    t.match(await primary.slot(), { status: 'online', generation: 5 });
  });
}

function newcomer(load, before) {
  return new Promise((resolve) => {
    load.state.onNewPid = (pid) => before.includes(pid) || resolve(pid);
  });
}
