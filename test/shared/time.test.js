import t from 'tap';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { poll, within } from '../../src/shared/deadline.js';
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../src/shared/latency.js';
import { epochMs, machineMs } from '../../src/shared/monotonic.js';

t.test('a promise that is in time, one that is late, and one that rejects', async (t) => {
  t.equal(await within(Promise.resolve('here'), 10_000), 'here');
  t.equal(await within(new Promise(() => {}), 1), null);
  await t.rejects(within(Promise.reject(new Error('no')), 10_000), /no/);
});

t.test('a condition is checked until it is true', async (t) => {
  let checks = 0;
  t.equal(await poll(() => ++checks === 3 && 'third', { timeoutMs: 10_000, everyMs: 1 }), 'third');
  t.equal(checks, 3);
});

t.test('a condition is checked once more when the time is up', async (t) => {
  let checks = 0;
  t.equal(await poll(async () => void ++checks, { timeoutMs: 0, everyMs: 1 }), null);
  t.equal(checks, 1);
});

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

/** @param counts by bound; Infinity: beyond the last */
function counted(counts) {
  return [...LATENCY_BOUNDS_MS, Infinity].map((bound) => counts[bound] ?? 0);
}

t.test('quantiles', async (t) => {
  const rows = [
    ['nothing was counted', {}, 0.5, null],
    ['all at the same bound: the middle of it', { 10: 4 }, 0.5, 8.5],
    ['the first bound begins at zero', { 0.1: 2 }, 0.5, 0.05],
    ['the slowest of a hundred is beyond the 99th', { 1: 99, 1000: 1 }, 0.99, 1],
    ['the 100th', { 1: 99, 1000: 1 }, 1, 1000],
    ['half of them slow', { 1: 5, 100: 5 }, 0.99, 99.4],
    ['beyond the last bound it is at least that', { Infinity: 3 }, 0.5, 60_000],
  ];
  for (const [what, counts, quantile, expected] of rows) {
    const found = latencyQuantile(counted(counts), quantile);
    t.equal(found && Math.round(found * 1000) / 1000, expected, what);
  }
});
