import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { machineMs } from '../../src/shared/monotonic.js';

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
