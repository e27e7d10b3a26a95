import t from 'tap';
import { assignIds, slotsFor } from '../../../src/daemon/apps/slots.js';

t.test('worker ids are stable and never reused', async (t) => {
  t.strictSame(assignIds([0, 1], {}, 0), { ids: { 0: 0, 1: 1 }, next: 2 });
  t.strictSame(assignIds([0, 1, 2], { 0: 0, 1: 3 }, 7), { ids: { 0: 0, 1: 3, 2: 7 }, next: 8 });
  t.strictSame(assignIds([0], { 0: 5, 1: 6 }, 7), { ids: { 0: 5 }, next: 7 });
  t.strictSame(assignIds([0, 1], { 0: 5, 1: 6 }, 0).next, 7, 'also when the counter was lost');
  t.strictSame(slotsFor([0, 2, 3], 2), [0, 2]);
  t.strictSame(slotsFor([0, 2], 4), [0, 1, 2, 3]);
});
