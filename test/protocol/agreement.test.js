import t from 'tap';
import { agreedProtocol } from '../../src/protocol/agreement.js';

const rows = /** @type {const} */ ([
  ['the same version', [4, 3], [4, 3], 4],
  ['an older one that the newer understands', [4, 3], [3, 2], 3],
  ['a newer one that understands this', [4, 3], [6, 4], 4],
  ['an older one that nobody understands', [4, 3], [2, 1], null],
  ['a newer one that has forgotten this', [4, 3], [6, 5], null],
  ['protocol 3, which names no oldest', [4, 3], [3, undefined], 3],
  ['without an oldest only the newest', [4, undefined], [5, undefined], null],
  ['an oldest above the newest is not believed', [4, 3], [3, 9], 3],
  ['an oldest that is not a number is not believed', [4, 3], [5, '3'], null],
]);

for (const [name, one, other, agreed] of rows) {
  t.test(name, async (t) => {
    const [a, b] = [one, other].map(([protocol, oldest]) => ({ protocol, oldest }));
    t.equal(agreedProtocol(a, b), agreed);
    t.equal(agreedProtocol(b, a), agreed, 'either way');
  });
}
