import t from 'tap';
import {
  formatAge,
  formatAgo,
  formatCount,
  formatCountdown,
  formatCpu,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
  cpuScale,
  memoryScale,
} from '../../src/show/quantity.js';

const rows = [
  [formatAge, null, '-'],
  [formatAge, -5, '0s'],
  [formatAge, 999, '0s'],
  [formatAge, 12_345, '12s'],
  [formatAge, 185_000, '3m 5s'],
  [formatAge, 190_800_000, '2d 5h'],
  [(/** @type {number} */ at) => formatAgo(at, 60_000), 55_500, '4s ago'],
  [formatMemory, null, '-'],
  [formatMemory, 43_201_331, '41.2M'],
  [formatMemory, 0, '0B'],
  [formatCpu, null, '-'],
  [formatCpu, 0, '0.0%'],
  [formatCpu, 99.96, '100.0%'],
  [formatCpu, 1767.3, '1767%'],
  [formatCountdown, 12_100, '13s'],
  [formatCountdown, -5, '0s'],
  [formatShare, null, '-'],
  [formatShare, 0.314, '31%'],
  [formatLatency, undefined, '-'],
  [formatLatency, 0.42, '0.4ms'],
  [formatLatency, 12.4, '12ms'],
  [formatLatency, 1240, '1.2s'],
  [formatLatency, 125_000, '2m 5s'],
  [formatRate, null, '-'],
  [formatRate, 0, '0'],
  [formatRate, 3.21, '3.2'],
  [formatRate, 412.3, '412'],
  [formatRate, 12_400, '12.4k'],
];

for (const [format, given, shown] of rows) {
  t.test(`${format.name} ${given}`, async (t) => {
    t.equal(format(given), shown);
  });
}

t.test('formatCount', async (t) => {
  t.equal(formatCount(1, 'worker'), '1 worker');
  t.equal(formatCount(2, 'worker'), '2 workers');
});

const M = 1024 ** 2;

t.test('a small load does not look high', async (t) => {
  t.same(cpuScale([null, 5]), { low: 0, high: 20 });
  t.same(cpuScale([50, 5]), { low: 0, high: 50 });
});

t.test('memory does not make mountains of noise', async (t) => {
  t.same(memoryScale([100 * M, 101 * M, null]), { low: 100 * M, high: 116 * M });
  t.same(memoryScale([100 * M, 400 * M]), { low: 100 * M, high: 400 * M });
  t.same(memoryScale([null]), { low: 0, high: 16 * M });
});
