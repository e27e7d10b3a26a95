import t from 'tap';
import { watchDelay } from '../../../src/features/watch/daemon.js';

t.test('constant changes do not delay a reload forever', async (t) => {
  t.equal(watchDelay(200, 0), 200);
  t.equal(watchDelay(200, 1900), 100);
  t.equal(watchDelay(200, 5000), 0);
});
