import t from 'tap';
import { cpuScale, memoryScale } from '../../src/show/scale.js';

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
