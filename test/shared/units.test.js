import t from 'tap';
import {
  formatDuration,
  formatSize,
  parseDuration,
  parseMoment,
  parseSize,
} from '../../src/shared/units.js';

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

/** @param {number} hours @param {number} minutes @param {number} [seconds] @returns {number} of one day, local time */
const clock = (hours, minutes, seconds = 0, day = 26) =>
  new Date(2026, 10, day, hours, minutes, seconds).getTime();

t.test('moments', async (t) => {
  const now = clock(22, 30, 7);
  for (const [text, at] of /** @type {[string, number][]} */ ([
    ['10m', now - 600_000],
    ['1h30m', now - 5_400_000],
    ['22:20', clock(22, 20)],
    ['9:05:06', clock(9, 5, 6)],
    ['22:30:07', now],
    ['22:30:08', clock(22, 30, 8, 25)],
    ['2026-11-26T22:20:00Z', Date.UTC(2026, 10, 26, 22, 20)],
    ['2026-11-26T22:20:00.5+02:00', Date.UTC(2026, 10, 26, 20, 20, 0, 500)],
    ['2026-11-25 22:20', clock(22, 20, 0, 25)],
  ])) {
    t.equal(parseMoment(text, now), at, text);
  }
  for (const text of ['', '5', 'soon', '24:00', '22:60', '22', '2026-11-26', '2026-13-26T22:20']) {
    t.throws(() => parseMoment(text, now), /30s, 10m or 2h, .* 22:20, 22:20:05 or 2026-/, text);
  }
});
