/** What follows from the health checks of workers: readiness, replacement, and nothing at all. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { specOf, startPrimary, startedPrimary } from '../../../primary-under-test.js';
import { ask } from '../../../../support/http-ask.js';
import { isRunning } from '../../../../support/processes.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { until } from '../../../../support/until.js';

const RULE = {
  http: '/health',
  exec: null,
  intervalMs: 100,
  timeoutMs: 1000,
  failures: 2,
  startPeriodMs: 20_000,
};

async function startChecked(t, { health = {}, ...change } = {}, all = null) {
  const directory = temporaryDirectory(t);
  const say = (name, text) =>
    text === null
      ? rmSync(join(directory, name), { force: true })
      : writeFileSync(join(directory, name), text);
  say('all', all);
  const env = { HEALTH_DIR: directory };
  const spec = await specOf('health.cjs', { env, health: { ...RULE, ...health }, ...change });
  return { primary: await startPrimary(t, spec), say };
}

/** One whose workers have all passed. */
async function startHealthy(t, change) {
  const { primary, say } = await startChecked(t, change);
  await primary.ask('start');
  const pids = pidsOf(await primary.when(allHealthy, 'all to pass'));
  const slotWhen = (is, what) => primary.when(({ slots: [slot] }) => is(slot) && slot, what);
  return { primary, say, pids, slotWhen };
}

const pidsOf = ({ slots }) => slots.map(({ pid }) => pid);
const isHealthy = ({ health, isReady }) => health?.status === 'healthy' && isReady;
const allHealthy = (state) => state.slots.every(isHealthy) && state;
const isUnhealthy = ({ health }) => health?.status === 'unhealthy';

t.test('a first start waits for the first success, and failures do not count', async (t) => {
  const { primary, say } = await startChecked(t, {}, '503 not yet');
  const started = primary.ask('start');
  const waiting = await primary.when(
    ({ slots: [slot] }) => slot.health?.reason?.includes('503') && slot,
    'the first failed check',
  );
  t.match(waiting, { status: 'starting', isReady: false });
  t.match(waiting.health, { status: 'starting', failures: 0, reason: 'GET /health: 503 not yet' });
  say('all', '204');
  t.match(await started, { ok: true });
  const [slot] = (await primary.state()).slots;
  t.match(slot, { status: 'online', isReady: true });
  t.match(slot.health, { status: 'healthy', reason: undefined });
});

t.test('a first start that never passes fails, and its worker goes on', async (t) => {
  const change = { health: { startPeriodMs: 400 }, listenTimeoutMs: 300 };
  const { primary, say } = await startChecked(t, change, '500 no');
  const { ok, failed } = await primary.ask('start');
  t.equal(ok, false);
  // On a busy machine it may not even have been loaded by then.
  t.match(
    failed[0].reason,
    /^(did not pass its health check|was not online) within|since its start$/,
  );
  const [{ status, pid }] = (await primary.state()).slots;
  t.equal(status, 'starting');
  say('all', '200');
  const online = await primary.when(({ slots: [slot] }) => isHealthy(slot) && slot, 'the success');
  t.equal(online.pid, pid);
});

t.test('a restarted worker that never passes has failed, if its sibling passes', async (t) => {
  const change = { instances: 2, maxRestarts: 1, health: { startPeriodMs: 600 } };
  const { primary, say, pids, slotWhen } = await startHealthy(t, change);
  const [killed, sibling] = pids;
  say('slot-0', '503 broken cache');
  say(`pid-${killed}`, '200');
  process.kill(killed, 'SIGKILL');
  const given = await slotWhen(({ status }) => status === 'errored', 'it to be given up');
  const failure = 'failed its health check \\d+ times in a row \\(GET /health: 503 broken cache\\)';
  t.match(given.lastExit.reason, new RegExp(`^${failure}`));
  t.match(given.reason, /^failed 2 times within .* the last time it failed its health check/);
  t.equal((await primary.state()).slots[1].pid, sibling);
});

t.test('it goes on if no sibling passes', async (t) => {
  const change = { instances: 2, health: { startPeriodMs: 300 } };
  const { primary, say, pids, slotWhen } = await startHealthy(t, change);
  say('all', '503 no database');
  await primary.when(({ slots }) => slots.every(isUnhealthy), 'both to fail');
  process.kill(pids[0], 'SIGKILL');
  const isNext = (slot) => slot.pid !== pids[0] && isUnhealthy(slot);
  const { pid, status } = await slotWhen(isNext, 'the next one to fail');
  t.equal(status, 'starting');
  say('all', null);
  const after = await primary.when(allHealthy, 'both to recover');
  t.match(after.slots[0], { pid, restarts: 1 });
});

t.test('an unhealthy worker gives way to one that passes', async (t) => {
  const { primary, say, pids, slotWhen } = await startHealthy(t, { instances: 2 });
  say(`pid-${pids[0]}`, '503 out of order');
  const unhealthy = await slotWhen(isUnhealthy, 'two failures');
  t.match(unhealthy, { status: 'online', isReady: false });
  t.match(unhealthy.health, { reason: 'GET /health: 503 out of order' });
  t.ok(unhealthy.health.failures >= 2);
  const after = await primary.when(
    (state) => allHealthy(state) && state.retiring.length === 0 && state.slots,
    'the replacement',
  );
  t.not(after[0].pid, pids[0]);
  t.equal(after[1].pid, pids[1]);
  t.equal(after[0].restarts, 0, 'it is no restart');
  t.ok(primary.events.some(({ type }) => type === 'worker.unhealthy'));
  const { reason } = primary.events.find(({ type }) => type === 'worker.replacing');
  // A busy machine may have checked once more by then.
  const check = 'GET /health: 503 out of order';
  t.match(reason, new RegExp(`^failed its health check \\d times in a row \\(${check}\\)$`));
});

t.test('a replacement that fails too takes nobody’s place', async (t) => {
  const change = { instances: 2, health: { startPeriodMs: 1000 } };
  const { primary, say, pids, slotWhen } = await startHealthy(t, change);
  say('slot-0', '503');
  const { lastExit } = await slotWhen(({ lastExit }) => lastExit, 'the replacement to fail');
  // On a busy machine it may not listen by then.
  t.match(lastExit.reason, /^did not pass its health check within 1 s \(GET .health: /);
  const [slot] = (await primary.state()).slots;
  t.match(slot, { pid: pids[0], status: 'online', isReady: false });
  say('slot-0', '200');
  t.same(pidsOf(await primary.when(allHealthy, 'the old one to recover')), pids);
});

t.test('a check that fails on every worker replaces nobody', async (t) => {
  const { primary, say, pids } = await startHealthy(t, { instances: 3 });
  say('all', '503 no database');
  const reported = (type) =>
    until(() => primary.events.find((event) => event.type === type), `the event ${type}`);
  t.match(await reported('app.unhealthy'), { reason: 'GET /health: 503 no database' });
  t.equal((await ask(primary.port, '/')).pid > 0, true, 'they still get connections');
  say('all', null);
  await reported('app.healthy');
  await primary.when(allHealthy, 'all to pass again');
  const { slots } = await primary.state();
  t.match(
    slots,
    pids.map((pid) => ({ pid, restarts: 0 })),
  );
  t.equal(primary.events.filter(({ type }) => type === 'app.unhealthy').length, 1, 'said once');
});

t.test('a restart of one of two sick workers does not make the other the only one', async (t) => {
  const { primary, say, pids } = await startHealthy(t, { instances: 2 });
  for (const pid of pids) say(`pid-${pid}`, '503 stuck');
  await primary.when(({ healthFailsEverywhere }) => healthFailsEverywhere, 'both to fail');
  await primary.ask('restart', { slots: [0] });
  const isReplaced = (state) => allHealthy(state) && !pidsOf(state).includes(pids[1]);
  await primary.when(isReplaced, 'the other one to be replaced');
  const types = primary.events.map(({ type, slot }) => `${type} ${slot ?? ''}`.trim());
  t.ok(types.indexOf('app.healthy') > types.lastIndexOf('worker.online 0'), types.join(', '));
});

t.test('a reload keeps the workers whose successors do not pass', async (t) => {
  const { primary, say, pids } = await startHealthy(t, { health: { startPeriodMs: 3000 } });
  say('all', '503 migration missing');
  say(`pid-${pids[0]}`, '200');
  const { ok, failed } = await primary.ask('reload');
  t.equal(ok, false);
  const reason = 'did not pass its health check within 3 s (GET /health: 503 migration missing)';
  t.match(failed[0].reason, reason);
  t.same(pidsOf(await primary.state()), pids);
});

t.test('no response, a blocked event loop and a wrong port are failures', async (t) => {
  const { primary, say } = await startChecked(t, {
    instances: 2,
    health: { timeoutMs: 300, failures: 1000 },
  });
  await primary.ask('start');
  const reasonIs = (pattern) =>
    primary.when(
      ({ slots }) => slots.some(({ health }) => pattern.test(health?.reason)),
      String(pattern),
    );
  say('all', 'hang');
  await reasonIs(/^GET \/health: no response within 0.3 s$/);
  say('all', null);
  ask(primary.port, '/block').catch(() => {});
  await reasonIs(/^GET \/health: no reply within 0.3 s, its event loop is blocked$/);
});

t.test('{ready: true} counts as ready', async (t) => {
  const change = { waitReady: true, env: { READY_OBJECT: 'yes' } };
  const primary = await startedPrimary(t, 'says-ready.cjs', change);
  t.match(primary.outcome, { ok: true });
});

// Checks that are commands, and checks of programs in fork mode.

const COMMAND = { ...RULE, http: null, timeoutMs: 2000, failures: 1000, startPeriodMs: 60_000 };
const shell = (text) => ({ ...COMMAND, exec: ['sh', '-c', text] });

const reasonOf = (primary, part) =>
  primary.when(
    ({ slots: [slot] }) => slot.health?.reason?.includes(part) && slot.health.reason,
    part,
  );

t.test('a command sees the worker, and its last line says why it failed', async (t) => {
  const health = shell('echo first; echo "$NODE_APP_INSTANCE $NODECLUSTER_PID $COLOUR"; exit 3');
  const spec = await specOf('http-pid.cjs', { health, env: { COLOUR: 'blue' } });
  const primary = await startPrimary(t, spec);
  const reason = await reasonOf(primary, 'blue');
  const [{ pid }] = (await primary.state()).slots;
  t.equal(reason, `sh exited with code 3: 0 ${pid} blue`);
  await primary.configure({ ...spec, health: shell('true') });
  await primary.when(({ slots: [slot] }) => slot.isReady, 'the success');
  t.match(await primary.ask('start'), { ok: true });
});

t.test('in fork mode the port is asked', async (t) => {
  const spec = await specOf('health.cjs', { execMode: 'fork', interpreter: process.execPath });
  const url = `http://127.0.0.1:${spec.env.PORT}/health`;
  const primary = await startPrimary(t, { ...spec, health: { ...COMMAND, exec: null, http: url } });
  await primary.when(({ slots: [slot] }) => slot.isReady, 'the success');
  t.match(await primary.ask('start'), { ok: true });
});

t.test('what a command leaves outside of its group is killed, and the worker is not', async (t) => {
  const health = shell('setsid sleep 600 & echo $!; exit 1');
  const primary = await startPrimary(t, await specOf('http-pid.cjs', { health }));
  const reason = await reasonOf(primary, 'code 1');
  const [, left] = /^sh exited with code 1: (\d+)$/.exec(reason) ?? [];
  await until(() => !isRunning(Number(left)), 'it to be killed');
  const [{ pid }] = (await primary.state()).slots;
  t.ok(isRunning(pid), 'the worker runs');
});
