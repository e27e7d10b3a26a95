/** The page says the same as the command line. */
import t from 'tap';
import * as cli from '../../../../src/cli/render/quantity.js';
import { maskLine as maskOfCli } from '../../../../src/cli/render/mask.js';
import * as page from '../../../../src/clients/web/page/format/quantity.js';
import { maskLine } from '../../../../src/clients/web/page/format/mask.js';
import {
  ownScale,
  scaleFromZero,
  sparkPaths,
} from '../../../../src/clients/web/page/table/sparkline.js';

const numbers = [
  0, 0.04, 0.5, 1, 9.94, 9.95, 12, 99.6, 512, 999, 1000, 1024, 1500, 9999, 59_999, 60_000, 61_000,
  3_599_000, 3_661_000, 86_400_000, 90_061_000, 81_264_640, 1_073_741_824,
];

t.test('numbers', async (t) => {
  const names = Object.keys(page).filter((name) => name in cli && name !== 'formatCount');
  t.ok(names.length >= 8, names.join());
  for (const name of names) {
    for (const number of numbers)
      t.equal(page[name](number), cli[name](number), `${name} ${number}`);
  }
  for (const name of ['formatCpu', 'formatMemory', 'formatRate', 'formatLatency', 'formatUptime']) {
    t.equal(page[name](null), '-');
  }
  t.equal(page.formatCount(1, 'worker'), cli.formatCount(1, 'worker'));
  t.equal(page.formatCount(2, 'worker'), cli.formatCount(2, 'worker'));
});

t.test('text of programs', async (t) => {
  const texts = [
    'plain',
    '\u001b[31mred\u001b[0m and \u001b[2J',
    'a\tb\rc',
    '\u202etxt.exe',
    '\u0000\u007f\u0085',
    '<img src=x onerror=alert(1)>',
  ];
  for (const text of texts) t.equal(maskLine(text), maskOfCli(text), JSON.stringify(text));
});

t.test('curves', async (t) => {
  t.same(sparkPaths([0, 10], { low: 0, high: 10 }), {
    line: 'M58 16.0L59 0.0',
    area: 'M58 16.0L59 0.0L59 16H58Z',
  });
  t.same(
    sparkPaths([5, null, 5, 20], { low: 0, high: 10 }).line,
    'M56 8.0M58 8.0L59 0.0',
    'a gap, and what is higher than the scale',
  );
  t.same(sparkPaths([null], { low: 0, high: 1 }), { line: '', area: '' });
  t.same(scaleFromZero([null, 5], 20), { low: 0, high: 20 });
  t.same(scaleFromZero([50, 5], 20), { low: 0, high: 50 });
  t.same(ownScale([null], 16), { low: 0, high: 16 });
  t.same(ownScale([100, 140], 16), { low: 100, high: 140 });
  t.same(ownScale([100, 101], 16), { low: 100, high: 116 });
});
