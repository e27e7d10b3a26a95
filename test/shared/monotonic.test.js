import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { epochMs, machineMs } from '../../src/shared/monotonic.js';

t.test('a moment is the same in every process, whenever it was started', async (t) => {
  const module = fileURLToPath(new URL('../../src/shared/monotonic.js', import.meta.url));
  const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.machineMs()))`;
  const before = machineMs();
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  const after = machineMs();
  const its = Number(stdout);
  // Each is rounded.
  t.ok(before - 1 <= its && its <= after + 1, `${before} ${its} ${after}`);
});

t.test('of a moment of this process', async (t) => {
  const ownMs = performance.now();
  t.equal(machineMs(ownMs), machineMs(ownMs));
  t.ok(Math.abs(machineMs(ownMs + 1000) - machineMs(ownMs) - 1000) <= 1);
});

t.test('as a time of the wall clock: the same until that is set', async (t) => {
  const atMs = machineMs() - 5000;
  const at = epochMs(atMs);
  t.ok(Math.abs(Date.now() - 5000 - at) < 1000);
  const { now } = Date;
  t.intercept(Date, 'now', { value: () => now() + 900 });
  t.equal(epochMs(atMs), at, 'it is only inexact');
  t.intercept(Date, 'now', { value: () => now() + 86_400_000 });
  const later = epochMs(atMs);
  t.ok(Math.abs(later - at - 86_400_000) < 1000, 'nothing is a day old that has just begun');
  t.equal(epochMs(atMs), later);
});
