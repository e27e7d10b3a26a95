import t from 'tap';
import {
  brevity,
  counted,
  cpu,
  elapsed,
  lasting,
  memory,
  rate,
  share,
  uptime,
  waiting,
} from '../../../src/cli/render/quantity.js';

const rows = [
  [uptime, null, '-'],
  [uptime, -5, '0s'],
  [uptime, 999, '0s'],
  [uptime, 12_345, '12s'],
  [uptime, 185_000, '3m 5s'],
  [uptime, 190_800_000, '2d 5h'],
  [elapsed, 287, '0.3 s'],
  [elapsed, 2400, '2.4 s'],
  [elapsed, 125_000, '2m 5s'],
  [memory, null, '-'],
  [memory, 43_201_331, '41.2M'],
  [memory, 0, '0B'],
  [cpu, null, '-'],
  [cpu, 0, '0.0%'],
  [cpu, 99.96, '100.0%'],
  [lasting, 12_900, '12 s'],
  [lasting, 65_000, '1m 5s'],
  [waiting, 12_100, '13 s'],
  [waiting, -5, '0 s'],
  [share, null, '-'],
  [share, 0.314, '31%'],
  [brevity, undefined, '-'],
  [brevity, 0.42, '0.4ms'],
  [brevity, 12.4, '12ms'],
  [brevity, 1240, '1.2s'],
  [rate, null, '-'],
  [rate, 0, '0'],
  [rate, 3.21, '3.2'],
  [rate, 412.3, '412'],
  [rate, 12_400, '12.4k'],
];

for (const [format, given, shown] of rows) {
  t.test(`${format.name} ${given}`, async (t) => {
    t.equal(format(given), shown);
  });
}

t.test('counted', async (t) => {
  t.equal(counted(1, 'worker'), '1 worker');
  t.equal(counted(2, 'worker'), '2 workers');
});
