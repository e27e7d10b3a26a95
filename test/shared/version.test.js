import t from 'tap';
import { agreedProtocol } from '../../src/shared/version.js';

const rows = /** @type {const} */ ([
  ['the same version', [4, 3], [4, 3], 4],
  ['the first one', [1, 1], [1, 1], 1],
  ['an older one that the newer understands', [4, 3], [3, 2], 3],
  ['a newer one that understands this', [4, 3], [6, 4], 4],
  ['an older one that nobody understands', [4, 3], [2, 1], null],
  ['a newer one that has forgotten this', [4, 3], [6, 5], null],
  ['what is not a number is never agreed on', [4, 3], [undefined, 3], null],
]);

for (const [name, one, other, agreed] of rows) {
  t.test(name, async (t) => {
    const [a, b] = [one, other].map(([protocol, oldest]) => ({ protocol, oldest }));
    t.equal(agreedProtocol(a, b), agreed);
    t.equal(agreedProtocol(b, a), agreed, 'either way');
  });
}
