/** Replacements without a command: `max_requests`, `max_age` and `max_memory_restart`. */
import t from 'tap';
import { copyFileSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

function eventsOf({ events }, next) {
  const replacing = events.find(({ type }) => type === 'worker.replacing');
  const isIt = ({ type, pid }) => type === 'worker.starting' && pid === next;
  return { replacing, starting: events.find(isIt) };
}

t.test('a worker is replaced after max_requests, without a restart', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { maxRequests: 20 });
  const before = await primary.slot();
  for (let count = 0; count < 22; count++) await ask(primary.port);
  const after = await primary.whenSlot(({ pid }) => pid !== before.pid, 'another worker');
  t.match(after, { status: 'online', restarts: 0, generation: before.generation, lastExit: null });
  const { replacing, starting } = eventsOf(primary, after.pid);
  t.match(replacing, { slot: 0, pid: before.pid, reason: /^answered (1[89]|2[0-2]) requests$/ });
  t.match(starting, { after: /^answered \d+ requests$/ });
  t.equal((await primary.state()).lastReload, null, 'it is not a reload');
});

/** A program that is on the disk as `rewrite` last wrote it. */
async function startRewritable(t, change) {
  const folder = t.testdir();
  const script = join(folder, 'program.cjs');
  const rewrite = (code) => writeFileSync(script, code);
  rewrite(readFileSync(app('http-pid.cjs')));
  const primary = await startedPrimary(t, script, change);
  const { spec } = primary;
  const limitAge = () => primary.configure({ ...spec, maxAgeMs: 1 });
  return { primary, rewrite, limitAge };
}

t.test('if the next one fails, the old one stays', async (t) => {
  const { primary, rewrite, limitAge } = await startRewritable(t, {});
  const before = await primary.slot();
  rewrite('throw new Error("broken")');
  await limitAge();
  const after = await primary.whenSlot(({ lastExit }) => lastExit, 'the failure');
  t.match(after, { pid: before.pid, status: 'online', restarts: 0 });
  t.match(await ask(primary.port), { pid: before.pid });
  const failedReplacement = {
    count: 1,
    reason: /^reached the age of .* could not be replaced: the next one exited with code 1$/,
  };
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

t.test('a worker that is due is replaced by one of the same program', async (t) => {
  const folder = temporaryDirectory(t);
  const point = (target) => {
    symlinkSync(target, join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'current.cjs'));
  };
  copyFileSync(app('http-pid.cjs'), join(folder, 'old.cjs'));
  point(join(folder, 'old.cjs'));
  const script = join(folder, 'current.cjs');
  const primary = await startedPrimary(t, script, { instances: 1 });
  const { spec } = primary;
  const before = await primary.slot();

  // A release that nobody has asked to reload yet; it would fail.
  point(join(folder, 'missing.cjs'));
  await primary.configure({ ...spec, maxMemoryRestartBytes: 1 });
  await primary.whenSlot(({ pid }) => pid !== before.pid, 'another worker');
  await primary.configure(spec);
  const { slots, ...after } = await primary.state();
  t.match(after, { lastReload: null, reloads: { ok: 0 } }, 'nobody asked for a reload');
  const how = 'used more memory than its max_memory_restart of 1B';
  t.match(after.lastReplacement, { slot: 0, at: Number, reason: how });
  const { replacing, starting } = eventsOf(primary, slots[0].pid);
  t.match(replacing, { pid: before.pid, reason: how });
  t.match(starting, { after: how });
  t.match(slots[0], { status: 'online', generation: 1, restarts: 0 });
  t.match(await primary.ask('reload', { generation: 2 }), { ok: false });
});
