import t from 'tap';
import { formatDuration, formatSize, parseDuration, parseSize } from '../../src/shared/units.js';

t.test('durations are read as people write them', async (t) => {
  for (const [text, ms] of /** @type {[any, number | null][]} */ ([
    [0, 0],
    [1500, 1500],
    ['3000', 3000],
    ['250ms', 250],
    ['10s', 10_000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    [' 2d ', 172_800_000],
    ['', null],
    ['10 parsecs', null],
    ['s', null],
    ['-1s', null],
    [-1, null],
    [1.5, null],
    [NaN, null],
    [true, null],
  ])) {
    t.equal(parseDuration(text), ms, JSON.stringify(text));
  }
});

t.test('sizes are powers of 1024', async (t) => {
  for (const [text, bytes] of /** @type {[any, number | null][]} */ ([
    [512, 512],
    ['512', 512],
    ['64K', 65_536],
    ['512M', 536_870_912],
    ['1.5G', 1_610_612_736],
    ['1GB', 1_073_741_824],
    ['1 MiB', 1_048_576],
    ['M', null],
    ['1X', null],
    [null, null],
  ])) {
    t.equal(parseSize(text), bytes, JSON.stringify(text));
  }
});

t.test('both are written shortly', async (t) => {
  t.strictSame([0, 999, 1000, 61_000, 3_600_000, 90_061_000].map(formatDuration), [
    '0ms',
    '999ms',
    '1s',
    '1m 1s',
    '1h',
    '1d 1h',
  ]);
  t.strictSame([0, 512, 65_536, 45_200_000].map(formatSize), ['0B', '512B', '64K', '43.1M']);
});
