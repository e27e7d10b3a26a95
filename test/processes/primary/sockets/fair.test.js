/** `scheduling: fair`: what exceeds a worker's share goes to another worker, and nothing is lost on the way. */
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { startLoad } from '../../../support/http-load.js';
import { descriptorsOf } from '../../../support/processes.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { until, within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

/** @param change of the spec */
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
  /** @returns the pid of the worker that has answered */
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

/** @returns how many each has, the fewest first */
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
