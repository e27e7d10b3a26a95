import t from 'tap';
import { rememberBind, SlotSockets } from '../../../src/primary/sockets/slot-sockets.js';

/** @param {{isGroup: boolean, refuses?: boolean}} kind */
function socketsAt80({ isGroup, refuses = false }) {
  const first = /** @type {any} */ ({ number: 0 });
  let opened = 0;
  if (isGroup)
    rememberBind(first, () => (refuses ? -98 : /** @type {any} */ ({ number: ++opened })));
  const all = { handedOver: { add: () => {} } };
  const sockets = new SlotSockets('*:80', first, /** @type {any} */ (all));
  return (/** @type {number} */ slot) => /** @type {any} */ (sockets.handleOf(slot)).number;
}

const slots = (/** @type {number} */ count) => Array.from({ length: count }, (_, slot) => slot);

t.test('two slots share a socket, and the last of an odd number joins the two before it', (t) => {
  for (const [count, numbers] of [
    [1, [0]],
    [2, [0, 0]],
    [3, [0, 0, 0]],
    [4, [0, 0, 1, 1]],
    [5, [0, 0, 1, 1, 1]],
    [6, [0, 0, 1, 1, 2, 2]],
  ]) {
    const numberOf = socketsAt80({ isGroup: true });
    for (const slot of slots(count)) numberOf(slot);
    t.same(slots(count).map(numberOf), numbers);
  }
  t.end();
});

t.test('slots may come in any order', (t) => {
  const numberOf = socketsAt80({ isGroup: true });
  t.same([5, 0, 3].map(numberOf), [2, 0, 1]);
  t.end();
});

t.test('all have the same socket if another one is refused, or cannot be', (t) => {
  for (const kind of [{ isGroup: true, refuses: true }, { isGroup: false }]) {
    t.same(slots(6).map(socketsAt80(kind)), [0, 0, 0, 0, 0, 0]);
  }
  t.end();
});
