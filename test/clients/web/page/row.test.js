import t from 'tap';
import { sparkPaths } from '../../../../src/clients/web/page/row.js';

t.test('curves', async (t) => {
  t.same(sparkPaths([0, 10], { low: 0, high: 10 }), {
    line: 'M58 16.0L59 0.0',
    area: 'M58 16.0L59 0.0V16H58Z',
  });
  t.same(
    sparkPaths([5, null, 5, 20], { low: 0, high: 10 }).line,
    'M56 8.0M58 8.0L59 0.0',
    'a gap, and what is higher than the scale',
  );
  t.same(sparkPaths([null], { low: 0, high: 1 }), { line: '', area: '' });
});
