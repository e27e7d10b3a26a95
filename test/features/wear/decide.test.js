import t from 'tap';
import { slotsOverMemory, withJitter } from '../../../src/features/wear/decide.js';
import { recentReplacements } from '../../../src/lifecycle/replacement-policy.js';

const MB = 1024 ** 2;
const over = (workers, nowMs = 1_000_000) =>
  slotsOverMemory({
    limit: 100 * MB,
    workers: workers.map((worker, slot) => ({ slot, replacedMs: [], ...worker })),
    nowMs,
  });

t.test('only workers above the limit', async (t) => {
  const workers = [{ memory: 99 * MB }, { memory: 100 * MB }, { memory: 101 * MB }];
  t.same(over(workers), [2]);
  t.same(over([{ memory: null }]), [], 'what is not known is not too much');
  t.same(over([{ memory: 101 * MB }, { memory: 500 * MB }]), [0, 1]);
});

t.test('each further replacement waits twice as long, up to a minute', async (t) => {
  const rows = [
    [[], 0, true],
    [[0], 9_999, false],
    [[0], 10_000, true],
    [[0, 10_000], 29_999, false],
    [[0, 10_000], 30_000, true],
    [[0, 10_000, 30_000], 70_000, true],
    [[0, 10_000, 30_000, 70_000], 129_999, false],
    [[0, 10_000, 30_000, 70_000], 130_000, true],
    [[0, 10_000, 30_000, 70_000, 130_000], 190_000, true],
    [[0, 10_000, 30_000], 630_500, true],
  ];
  for (const [replacedMs, nowMs, isReplaced] of rows) {
    const slots = over([{ memory: 200 * MB, replacedMs }], nowMs);
    t.same(slots, isReplaced ? [0] : [], `${replacedMs} at ${nowMs}`);
  }
});

t.test('old replacements do not count', async (t) => {
  t.same(recentReplacements([0, 1, 500_000], 600_001), [500_000]);
});

t.test('jitter', async (t) => {
  t.same(
    [0, 0.5, 0.999].map((random) => withJitter(1000, random)),
    [900, 1000, 1100],
  );
  t.equal(withJitter(1, 0), 1);
});
