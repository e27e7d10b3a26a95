import { copyFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app } from '../../../support/home.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { startedPrimary } from '../../primary-under-test.js';

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
  const [before] = (await primary.state()).slots;

  // A release that nobody has asked to reload yet; it would fail.
  point(join(folder, 'missing.cjs'));
  await primary.ask('configure', { spec: { ...spec, maxMemoryRestartBytes: 1 } });
  const isNew = ({ slots: [slot] }) => slot.pid !== before.pid && slot;
  await primary.when(isNew, 'another worker');
  await primary.ask('configure', { spec });
  const { slots, ...after } = await primary.state();
  t.match(after, { lastReload: null, reloads: { ok: 0 } }, 'nobody asked for a reload');
  const how = 'used more memory than its max_memory_restart of 1B';
  t.match(after.lastReplacement, { slot: 0, at: Number, reason: `it ${how}` });
  t.match(
    primary.events.find(({ type }) => type === 'worker.replacing'),
    { pid: before.pid, reason: `it ${how}` },
  );
  t.match(
    primary.events.find(({ type, pid }) => type === 'worker.starting' && pid === slots[0].pid),
    { after: how },
  );
  t.match(slots[0], { status: 'online', generation: 1, restarts: 0 });
  t.match(await primary.ask('reload', { generation: 2 }), { ok: false });
});
