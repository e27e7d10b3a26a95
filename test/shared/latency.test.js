import t from 'tap';
import { LATENCY_BOUNDS_MS, latencyQuantile } from '../../src/shared/latency.js';

/** @param {Record<number, number>} counts by bound; Infinity: beyond the last */
function counted(counts) {
  return [...LATENCY_BOUNDS_MS, Infinity].map((bound) => counts[bound] ?? 0);
}

t.test('the bounds ascend', async (t) => {
  t.same(
    [...LATENCY_BOUNDS_MS].sort((a, b) => a - b),
    LATENCY_BOUNDS_MS,
  );
});

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
