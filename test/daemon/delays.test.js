import t from 'tap';
import { restartDelay, watchDelay } from '../../src/daemon/delays.js';

t.test('constant changes do not delay a reload forever', async (t) => {
  t.equal(watchDelay(200, 0), 200);
  t.equal(watchDelay(200, 1900), 100);
  t.equal(watchDelay(200, 5000), 0);
});

t.test('the restart delay of a primary grows', async (t) => {
  t.strictSame([1, 2, 3, 4, 50].map(restartDelay), [0, 100, 200, 400, 10_000]);
});
