/** A spare has loaded the program and listens; it serves as soon as another worker cannot. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app as fixture } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { until } from '../../support/until.js';
import { startedPrimary } from '../primary-under-test.js';

const WITH_SPARE = { instances: 1, spares: 1 };
const statuses = ({ slots }) => slots.map(({ status, pid }) => pid && status).join(' ');

/** When all that should run does, and the spare has listened. */
const whole = (primary, expected = 'online spare') =>
  primary.when(
    (state) =>
      statuses(state) === expected && state.slots.every(({ listening }) => listening[0]) && state,
    expected,
  );

const startedWith = async (t, script, change) => {
  const primary = await startedPrimary(t, script, { ...WITH_SPARE, ...change });
  return { primary, slots: (await whole(primary)).slots };
};
const kill = ({ pid }) => process.kill(pid, 'SIGKILL');
const answers = async ({ port }) => (await ask(port)).pid;

/** With `fair`, a spare also answers while the others get no CPU. */
const IN_TURN = { scheduling: 'round-robin' };

t.test('a death', async (t) => {
  const { primary, slots } = await startedWith(t, 'http-pid.cjs', IN_TURN);
  t.match(primary.outcome, { ok: true, done: [0] }, 'a start does not wait for the spare');
  for (let count = 0; count < 5; count += 1) t.equal(await answers(primary), slots[0].pid);
  // By the time of the next death it is not known yet what the worker that serves now listens on.
  await primary.configure({ ...primary.spec, minUptimeMs: 600_000, listenTimeoutMs: 600_000 });
  kill(slots[0]);
  t.equal(await answers(primary), slots[1].pid, 'the next request');
  const after = await whole(primary, 'spare online');
  t.equal(await answers(primary), slots[1].pid, 'the next spare gets nothing');
  kill(after.slots[0]);
  const again = await primary.when(
    ({ slots: [spare] }) => spare.restarts === 2 && spare.pid && spare,
    'the next spare',
  );
  t.equal(again.status, 'spare', 'the death of a spare concerns nobody');
  t.equal(await answers(primary), slots[1].pid);
});

t.test('a blocked event loop', async (t) => {
  const change = { hangTimeoutMs: 60_000 };
  const { primary, slots } = await startedWith(t, 'blocks-on-demand.cjs', change);
  await ask(primary.port, '/block');
  t.equal(await answers(primary), slots[1].pid, 'the spare serves at once');
  t.equal(statuses(await primary.state()), 'online spare', 'before anybody calls it blocked');
  const after = await whole(primary, 'spare online');
  t.equal(after.slots[0].pid, slots[0].pid, 'it is not killed');
  t.equal(await answers(primary), slots[1].pid);
  kill(slots[0]);
});

t.test('a blocked event loop beside a spare that has just failed', async (t) => {
  const script = join(t.testdir({ once: '' }), 'program.cjs');
  writeFileSync(
    script,
    `const fs = require('fs'); const once = __dirname + '/once';
    if (process.env.NODE_APP_INSTANCE === '1' && fs.existsSync(once)) { fs.rmSync(once); throw new Error('once'); }
    require(${JSON.stringify(fixture('blocks-on-demand.cjs'))});`,
  );
  const { primary, slots } = await startedWith(t, script);
  const freed = join(t.testdir(), 'freed');
  await ask(primary.port, `/block?${freed}`);
  setTimeout(() => writeFileSync(freed, ''), 500);
  t.equal(await answers(primary), slots[0].pid, 'it does not stand in');
});

t.test('a canary is compared with those that serve', async (t) => {
  const { primary } = await startedWith(t, 'http-pid.cjs');
  const steps = [];
  const canary = { instances: 1, forMs: 1000, max5xx: 0.1, maxP99: 2 };
  await primary.ask('reload', { generation: 2, canary }, (step) => steps.push(step));
  t.match(steps.find(({ kind }) => kind === 'judging').reason, /beside 1 old/);
});

t.test('a limit', async (t) => {
  const change = { ...IN_TURN, maxRequests: 20 };
  const { primary, slots } = await startedWith(t, 'http-pid.cjs', change);
  for (let count = 0; count < 22; count += 1) await ask(primary.port);
  const after = await primary.when(
    (state) => statuses(state) === 'spare online' && state.slots[0].pid !== slots[0].pid && state,
    'another worker in the slot of the one that was due',
  );
  t.equal(after.slots[1].pid, slots[1].pid);
  t.equal(await answers(primary), slots[1].pid);
});

t.test('scaled up', async (t) => {
  const { primary, slots } = await startedWith(t, 'http-pid.cjs');
  const spec = { ...primary.spec, instances: 2 };
  await primary.ask('scale', { slots: [0, 1, 2], spec });
  const after = await whole(primary, 'online online spare');
  t.equal(after.slots[1].pid, slots[1].pid, 'the spare serves');
  await primary.ask('scale', { slots: [0, 1], spec: { ...spec, instances: 1 } });
  await whole(primary);
  await primary.ask('scale', { slots: [0], spec: { ...spec, instances: 1, spares: 0 } });
  await whole(primary, 'online');
  const one = await primary.ask('scale', { slots: [0, 1], spec: { ...spec, instances: 1 } });
  t.match(one, { ok: true, done: [] }, 'a spare is no worker of the app');
  await whole(primary);
});

t.test('commands', async (t) => {
  const { primary, slots } = await startedWith(t, 'http-pid.cjs');
  const reloaded = await primary.ask('reload', { generation: 2, onFailure: 'keep' });
  t.match(reloaded, { ok: true, minReady: 1 });
  t.same(reloaded.done, [0], 'a spare is no worker of the app');
  const after = await whole(primary);
  t.ok(after.slots.every(({ pid, generation }, at) => pid !== slots[at].pid && generation === 2));
  await primary.ask('restart', { generation: 3 });
  await whole(primary);
  await primary.ask('stop', { slots: [1] });
  t.equal((await primary.state()).slots[1].status, 'stopped', 'also a spare');
  await primary.ask('start');
  await whole(primary);
  await primary.ask('stop', { slots: [0] });
  const [, left] = (
    await primary.when(
      (state) => statuses(state).endsWith('online') && state,
      'only a spare is left',
    )
  ).slots;
  t.equal(await answers(primary), left.pid, 'which serves then');
  await primary.ask('start', { slots: [0] });
  await whole(primary, 'spare online');
  await primary.ask('stop');
  await primary.when(({ slots }) => slots.every(({ status }) => status === 'stopped'), 'a stop');
  await primary.ask('start');
  await whole(primary, 'spare online');
});

t.test('a release that crashes', async (t) => {
  const script = join(t.testdir(), 'program.cjs');
  const write = (before) =>
    writeFileSync(
      script,
      `${before}; require('http').createServer((_, response) => response.end(String(process.pid))).listen(process.env.PORT)`,
    );
  write('');
  const { primary, slots } = await startedWith(t, script);
  for (const code of ['throw new Error("at load")', 'setTimeout(() => process.exit(1), 100)']) {
    write(code);
    const { ok, kept } = await primary.ask('reload', { generation: 2, onFailure: 'rollback' });
    t.same({ ok, kept }, { ok: false, kept: [0] }, code);
    await whole(primary);
    const before = slots.map(({ pid }) => pid);
    t.same(await primary.pids(), before, 'nobody was replaced');
  }
  const { ok, done } = await primary.ask('restart', { generation: 3 });
  t.same({ ok, done }, { ok: false, done: [] }, 'nor is a spare said to serve in its place');
});

for (const [script, refused] of [
  ['never-listens.cjs', 'silent'],
  ['binds-udp-late.cjs', 'udp'],
  ['port-of-a-child.cjs', 'below'],
]) {
  t.test(`none beside ${script}`, async (t) => {
    const primary = await startedPrimary(t, script, WITH_SPARE);
    await primary.when(({ spares }) => spares.refused === refused, refused);
    const started = primary.events.filter(({ type }) => type === 'worker.starting');
    t.ok(started.every(({ slot }) => slot === 0) || refused === 'udp', 'none was started');
    await until(async () => (await primary.pids())[1] === null, 'none runs');
    const canary = { instances: 1, forMs: 1000, max5xx: 0.1, maxP99: 2 };
    await primary.ask('reload', { slots: [1], generation: 2, onFailure: 'keep', canary });
    t.equal((await primary.state()).busy, null, 'a canary that does not run is not waited for');
  });
}
