import t from 'tap';
import { sparkline } from '../../../src/clients/monit/table.js';

const percent = { low: 0, high: 100 };
const rows = [
  [[0, 50, 100], 3, true, '▁▅█'],
  [[0, 50, 100], 3, false, '_=#'],
  [[1, 2, 100], 1, true, '█'],
  [[100], 3, true, '  █'],
  [[null, 100], 2, true, ' █'],
  [[-5, 250], 2, true, '▁█'],
  [[], 2, true, '  '],
];

for (const [values, width, supportsUnicode, expected] of rows) {
  t.test(JSON.stringify(expected), async (t) => {
    t.equal(sparkline(values, width, percent, supportsUnicode), expected);
  });
}
