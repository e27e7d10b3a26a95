import t from 'tap';
import { newCount } from '../../../src/daemon/actions/scale.js';

t.test('scale takes absolute and relative counts', async (t) => {
  t.equal(newCount('4', 2), 4);
  t.equal(newCount('+2', 2), 4);
  t.equal(newCount('-1', 2), 1);
  t.equal(newCount('max', 2), 0);
  t.throws(() => newCount('-1', 1), { message: /has only 1 worker/ });
  t.throws(() => newCount('-2', 2), { message: /has only 2 workers/ });
  for (const wrong of ['0', '-2', 'x', '', '1.5']) {
    t.throws(() => newCount(wrong, 2), { code: 'E_SCALE_COUNT' }, wrong);
  }
});
