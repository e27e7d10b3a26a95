import t from 'tap';
import { chooseWorker } from '../../../src/primary/sockets/queues.js';

const CLIENTS = Array.from({ length: 4000 }, (_, n) => [
  `10.0.${n >> 8}.${n & 255}`,
  `2001:db8::${n.toString(16)}`,
]).flat();

/** @param {number} count */
const workers = (count) => Array.from({ length: count }, (_, slot) => ({ slot }));

/** @param {string} client @param {readonly {slot: number}[]} list */
const slotOf = (client, list) => chooseWorker(client, list)?.slot;

t.test('each slot gets about its share', async (t) => {
  for (const count of [2, 3, 4, 8, 64]) {
    const list = workers(count);
    const shares = new Array(count).fill(0);
    for (const client of CLIENTS) shares[slotOf(client, list)] += 1;
    const fair = CLIENTS.length / count;
    // Four standard deviations of a fair choice.
    const slack = 4 * Math.sqrt(fair * (1 - 1 / count));
    t.ok(
      shares.every((share) => Math.abs(share - fair) < slack),
      `${count} workers: ${shares}`,
    );
  }
});

t.test('without a worker, only its clients move, and one more takes only its share', async (t) => {
  const four = workers(4);
  const five = workers(5);
  const rest = four.filter(({ slot }) => slot !== 2);
  let moved = 0;
  for (const client of CLIENTS) {
    const slot = slotOf(client, four);
    if (slot === 2) moved += 1;
    else if (slotOf(client, rest) !== slot) t.fail(`${client} moved from ${slot}`);
    const after = slotOf(client, five);
    if (after !== slot && after !== 4) t.fail(`${client} moved from ${slot} to ${after}`);
  }
  t.ok(moved > 0);
});

t.test('the clients of a slot without a worker are spread over the others', async (t) => {
  const four = workers(4);
  const orphans = CLIENTS.filter((client) => slotOf(client, four) === 0);
  const heirs = new Set(orphans.map((client) => slotOf(client, four.slice(1))));
  t.same([...heirs].sort(), [1, 2, 3]);
});

t.test('which worker a client belongs to', async (t) => {
  const list = workers(3);
  const slot = slotOf('192.0.2.7', list);
  t.equal(slotOf('::ffff:192.0.2.7', list), slot, 'the same client on a socket for IPv6');
  t.equal(slotOf('192.0.2.7', [...list].reverse()), slot, 'in any order');
  const newer = { slot, isNew: true };
  t.equal(chooseWorker('192.0.2.7', [...list, newer]), newer, 'the newer one of a slot');
  t.equal(chooseWorker('', list) !== null, true, 'a client that has closed already');
  t.equal(chooseWorker('192.0.2.7', []), null, 'nobody serves');
});
