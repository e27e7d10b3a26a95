/** What follows from the health checks of workers: readiness, replacement, and nothing at all. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { specOf, startPrimary, startedPrimary } from '../../../primary-under-test.js';
import { ask } from '../../../../support/http-ask.js';
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

/**
 * @param change of the spec
 * @param said what the workers answer, by name of the file
 */
async function startChecked(t, { health = {}, ...change } = {}, said = {}) {
  const directory = temporaryDirectory(t);
  const say = (name, text) =>
    text === null
      ? rmSync(join(directory, name), { force: true })
      : writeFileSync(join(directory, name), text);
  for (const [name, text] of Object.entries(said)) say(name, text);
  const spec = await specOf('health.cjs', {
    env: { HEALTH_DIR: directory },
    health: { ...RULE, ...health },
    ...change,
  });
  return { primary: await startPrimary(t, spec), say };
}

const pidsOf = ({ slots }) => slots.map(({ pid }) => pid);
const allHealthy = (state) => state.slots.every(isHealthy) && state;
const isHealthy = ({ health, isReady }) => health?.status === 'healthy' && isReady;

t.test('a first start waits for the first success, and failures do not count', async (t) => {
  const { primary, say } = await startChecked(t, {}, { all: '503 not yet' });
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
  const { primary, say } = await startChecked(
    t,
    { health: { startPeriodMs: 400 }, listenTimeoutMs: 300 },
    { all: '500 no' },
  );
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

t.test(
  'a restarted worker that never passes has failed to start, if its sibling passes',
  async (t) => {
    const { primary, say } = await startChecked(t, {
      instances: 2,
      maxRestarts: 1,
      health: { startPeriodMs: 600 },
    });
    await primary.ask('start');
    const [killed, sibling] = pidsOf(await primary.when(allHealthy, 'both to pass'));
    say('slot-0', '503 broken cache');
    say(`pid-${killed}`, '200');
    process.kill(killed, 'SIGKILL');
    const { lastExit, reason } = await primary.when(
      ({ slots: [slot] }) => slot.status === 'errored' && slot,
      'it to be given up',
    );
    t.match(
      lastExit.reason,
      /^failed its health check \d+ times in a row \(GET \/health: 503 broken cache\)/,
    );
    t.match(reason, /^failed 2 times within .* the last time it failed its health check/);
    t.equal((await primary.state()).slots[1].pid, sibling);
  },
);

t.test('it goes on if no sibling passes', async (t) => {
  const { primary, say } = await startChecked(t, { instances: 2, health: { startPeriodMs: 300 } });
  await primary.ask('start');
  const [killed] = pidsOf(await primary.when(allHealthy, 'both to pass'));
  say('all', '503 no database');
  await primary.when(
    ({ slots }) => slots.every((each) => each.health?.status === 'unhealthy'),
    'both to fail',
  );
  process.kill(killed, 'SIGKILL');
  const isJudged = ({ pid, health }) => pid !== killed && health?.status === 'unhealthy';
  const { pid, status } = await primary.when(
    ({ slots: [slot] }) => isJudged(slot) && slot,
    'the next one to fail',
  );
  t.equal(status, 'starting');
  say('all', null);
  const after = await primary.when(allHealthy, 'both to recover');
  t.match(after.slots[0], { pid, restarts: 1 });
});

t.test('an unhealthy worker gives way to one that passes', async (t) => {
  const { primary, say } = await startChecked(t, { instances: 2 });
  await primary.ask('start');
  const before = pidsOf(await primary.when(allHealthy, 'both to pass'));
  say(`pid-${before[0]}`, '503 out of order');
  const unhealthy = await primary.when(
    ({ slots: [slot] }) => slot.health?.status === 'unhealthy' && slot,
    'two failures',
  );
  t.match(unhealthy, { status: 'online', isReady: false });
  t.match(unhealthy.health, { reason: 'GET /health: 503 out of order' });
  t.ok(unhealthy.health.failures >= 2);
  const after = await primary.when(
    ({ slots, retiring }) => slots.every(isHealthy) && retiring.length === 0 && slots,
    'the replacement',
  );
  t.not(after[0].pid, before[0]);
  t.equal(after[1].pid, before[1]);
  t.equal(after[0].restarts, 0, 'it is no restart');
  const types = primary.events.map(({ type }) => type);
  t.ok(types.includes('worker.unhealthy'));
  const { reason } = primary.events.find(({ type }) => type === 'worker.replacing');
  // A busy machine may have checked once more by then.
  t.match(
    reason,
    /^it failed its health check \d times in a row \(GET .health: 503 out of order\)$/,
  );
});

t.test('a replacement that fails too takes nobody’s place', async (t) => {
  const { primary, say } = await startChecked(t, {
    instances: 2,
    health: { startPeriodMs: 1000 },
  });
  await primary.ask('start');
  const before = pidsOf(await primary.when(allHealthy, 'both to pass'));
  say('slot-0', '503');
  const { lastExit } = await primary.when(
    ({ slots: [slot] }) => slot.lastExit && slot,
    'the replacement to fail',
  );
  // On a busy machine it may not listen by then.
  t.match(lastExit.reason, /^did not pass its health check within 1 s \(GET .health: /);
  const [slot] = (await primary.state()).slots;
  t.match(slot, { pid: before[0], status: 'online', isReady: false });
  say('slot-0', '200');
  await primary.when(({ slots }) => slots.every(isHealthy), 'the old one to recover');
  t.same(pidsOf(await primary.state()), before);
});

t.test('a check that fails on every worker replaces nobody', async (t) => {
  const { primary, say } = await startChecked(t, { instances: 3 });
  await primary.ask('start');
  const before = pidsOf(await primary.when(allHealthy, 'all to pass'));
  say('all', '503 no database');
  const reported = (type) =>
    until(() => primary.events.find((event) => event.type === type), `the event ${type}`);
  t.match(await reported('app.unhealthy'), { reason: 'GET /health: 503 no database' });
  t.equal((await ask(primary.port, '/')).pid > 0, true, 'they still get connections');
  say('all', null);
  await reported('app.healthy');
  await primary.when(({ slots }) => slots.every(isHealthy), 'all to pass again');
  const state = await primary.state();
  t.same(pidsOf(state), before);
  t.same(
    state.slots.map(({ restarts }) => restarts),
    [0, 0, 0],
  );
  t.equal(primary.events.filter(({ type }) => type === 'app.unhealthy').length, 1, 'said once');
});

t.test(
  'a restart of one of two sick workers does not make the other one the only one',
  async (t) => {
    const { primary, say } = await startChecked(t, { instances: 2 });
    await primary.ask('start');
    const before = pidsOf(await primary.when(allHealthy, 'both to pass'));
    for (const pid of before) say(`pid-${pid}`, '503 stuck');
    await primary.when(({ healthFailsEverywhere }) => healthFailsEverywhere, 'both to fail');
    await primary.ask('restart', { slots: [0] });
    await primary.when(
      ({ slots }) => allHealthy({ slots }) && !pidsOf({ slots }).includes(before[1]),
      'the other one to be replaced',
    );
    const types = primary.events.map(({ type, slot }) => `${type} ${slot ?? ''}`.trim());
    t.ok(types.indexOf('app.healthy') > types.lastIndexOf('worker.online 0'), types.join(', '));
  },
);

t.test('a reload keeps the workers whose successors do not pass', async (t) => {
  const { primary, say } = await startChecked(t, { health: { startPeriodMs: 3000 } });
  await primary.ask('start');
  const [before] = pidsOf(await primary.when(allHealthy, 'the success'));
  say('all', '503 migration missing');
  say(`pid-${before}`, '200');
  const { ok, failed } = await primary.ask('reload');
  t.equal(ok, false);
  t.match(
    failed[0].reason,
    'did not pass its health check within 3 s (GET /health: 503 migration missing)',
  );
  t.same(pidsOf(await primary.state()), [before]);
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
