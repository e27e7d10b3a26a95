import { copyFileSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { app } from '../../../support/home.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

t.test('replace-workers starts the same program again', async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nc-')));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const point = (target) => {
    symlinkSync(target, join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'current.cjs'));
  };
  copyFileSync(app('http-pid.cjs'), join(folder, 'old.cjs'));
  point(join(folder, 'old.cjs'));
  const script = join(folder, 'current.cjs');
  const primary = await startPrimary(t, await specOf(script, { instances: 2 }));
  await primary.ask('start');
  const before = (await primary.state()).slots;

  // A release that nobody has asked to reload yet; it would fail.
  point(join(folder, 'missing.cjs'));
  const how = 'used more memory than its max_memory_restart of 300M';
  const outcome = await primary.ask('replace-workers', { slots: [1], generation: 2, how });
  t.match(outcome, { ok: true, done: [1], minReady: 2 });
  const { slots, ...after } = await primary.state();
  t.match(after, { lastReload: null, reloads: { ok: 0 } }, 'nobody asked for a reload');
  t.match(after.lastReplacement, { slot: 1, at: Number, reason: `it ${how}` });
  const events = primary.events.filter(({ slot }) => slot === 1);
  t.match(
    events.find(({ type }) => type === 'worker.replacing'),
    { pid: before[1].pid, reason: `it ${how}` },
  );
  t.match(
    events.find(({ type, pid }) => type === 'worker.starting' && pid === slots[1].pid),
    { after: how },
  );
  t.equal(slots[0].pid, before[0].pid);
  t.not(slots[1].pid, before[1].pid);
  t.match(slots[1], { status: 'online', generation: 2, restarts: 0 });
  t.match(await primary.ask('reload', { generation: 3 }), { ok: false });
});
