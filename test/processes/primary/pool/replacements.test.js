/** Replacements without a command: `max_requests` and `max_age`. */
import t from 'tap';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

async function askOften({ port }, count) {
  for (let index = 0; index < count; index++) await ask(port);
}

t.test('a worker is replaced after max_requests, without a restart', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { maxRequests: 20 });
  const [before] = (await primary.state()).slots;
  await askOften(primary, 22);
  const isNew = ({ slots: [slot] }) => slot.pid !== before.pid && slot;
  const after = await primary.when(isNew, 'another worker');
  t.match(after, { status: 'online', restarts: 0, generation: before.generation, lastExit: null });
  const replacing = primary.events.find(({ type }) => type === 'worker.replacing');
  t.match(replacing, { slot: 0, pid: before.pid, reason: /^it answered (1[89]|2[0-2]) requests$/ });
  t.match(
    primary.events.find(({ type, pid }) => type === 'worker.starting' && pid === after.pid),
    { after: /^answered \d+ requests$/ },
  );
  t.equal((await primary.state()).lastReload, null, 'it is not a reload');
});

t.test('a worker that listens on nothing has exited before the next one starts', async (t) => {
  const LOCK = join(t.testdir(), 'lock');
  const primary = await startedPrimary(t, 'runs-alone.cjs', { env: { LOCK } });
  const [before] = (await primary.state()).slots;
  await primary.ask('configure', { spec: { ...primary.spec, maxAgeMs: 1 } });
  const isNew = ({ slots: [slot] }) => slot.status === 'online' && slot.pid !== before.pid && slot;
  t.match(await primary.when(isNew, 'another worker'), { restarts: 0, lastExit: null });
});

t.test('a setting that changes applies to the workers that run', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs');
  const { spec } = primary;
  const [{ pid }] = (await primary.state()).slots;
  await primary.ask('configure', { spec: { ...spec, maxAgeMs: 1 } });
  await primary.when(({ slots: [slot] }) => slot.pid !== pid, 'another worker');
});

/** A program that is on the disk as `rewrite` last wrote it. */
async function startRewritable(t, change) {
  const folder = t.testdir();
  const script = join(folder, 'program.cjs');
  const rewrite = (code) => writeFileSync(script, code);
  rewrite(readFileSync(app('http-pid.cjs')));
  const primary = await startedPrimary(t, script, change);
  const { spec } = primary;
  const limitAge = () => primary.ask('configure', { spec: { ...spec, maxAgeMs: 1 } });
  return { primary, rewrite, limitAge };
}

t.test('if the next one fails, the old one stays', async (t) => {
  const { primary, rewrite, limitAge } = await startRewritable(t, {});
  const [before] = (await primary.state()).slots;
  rewrite('throw new Error("broken")');
  await limitAge();
  const hasFailed = ({ slots: [slot] }) => slot.lastExit && slot;
  const after = await primary.when(hasFailed, 'the failure');
  t.match(after, { pid: before.pid, status: 'online', restarts: 0 });
  t.match(await ask(primary.port), { pid: before.pid });
  const failedReplacement = { count: 1, why: /^reached the age of /, reason: 'exited with code 1' };
  const { workers } = await primary.ask('loads');
  t.match(workers, [{ pid: before.pid, degraded: 'replacement', failedReplacement }]);
  const degraded = await until(
    () => primary.events.find(({ type }) => type === 'worker.degraded'),
    'the event',
  );
  t.match(
    degraded.reason,
    /^reached the age of .* and could not be replaced: the next one exited with code 1/,
  );
  rewrite(readFileSync(app('http-pid.cjs')));
  t.match(await primary.ask('reload', { generation: 2 }), { ok: true });
  t.notOk(
    (await primary.ask('loads')).workers.some(({ degraded }) => degraded),
    'it was replaced',
  );
});

t.test('a command cancels a replacement', async (t) => {
  const { primary, rewrite, limitAge } = await startRewritable(t, { instances: 2 });
  const before = (await primary.state()).slots;
  rewrite('setInterval(() => {}, 1000)');
  await limitAge();
  const isReplacing = ({ retiring }) => retiring.length > 0;
  await primary.when(isReplacing, 'a replacement to start');
  rewrite(readFileSync(app('http-pid.cjs')));
  t.match(await primary.ask('reload', { generation: 2 }), { ok: true, done: [0, 1], minReady: 2 });
  const { slots } = await primary.state();
  t.notOk(slots.some(({ pid }) => before.some((one) => one.pid === pid)));
  t.match(await primary.ask('stop'), { ok: true });
});
