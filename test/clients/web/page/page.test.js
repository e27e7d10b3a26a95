import t from 'tap';
import { countOnline } from '../../../../src/clients/web/page/page.js';

const rows = [
  [['online', 'online'], '2 online', true],
  [['online', 'waiting'], '1 online', true],
  [['online', 'backoff', 'waiting'], '1/2 online', false],
  [[], '0 online', true],
];
for (const [statuses, text, isWhole] of rows) {
  t.test(`${statuses}`, async (t) => {
    t.same(countOnline(statuses.map((status) => ({ status }))), { text, isWhole });
  });
}
