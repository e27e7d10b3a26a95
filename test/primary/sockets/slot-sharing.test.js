import t from 'tap';
import { parseSocketName, slotSocketName } from '../../../src/primary/sockets/addresses.js';
import { Acceptors, acceptorsOf } from '../../../src/primary/sockets/slot-sharing.js';

/** @param {string[]} names of the sockets of the slots */
function acceptorsAt(names) {
  /** @type {string[]} */
  const sent = [];
  const workers = ['a', 'b', 'c'].map((name) => ({
    connected: true,
    send: (/** @type {any} */ { type, slot }, /** @type {string} */ handle) =>
      sent.push(`${name} ${type} ${slot}${handle ? ` with ${handle}` : ''}`),
  }));
  const slots = names.map((name, slot) => [slot, name]);
  const sockets = {
    inherited: [],
    slots: slots.filter(([, name], at) => names.indexOf(name) === at),
    handleOf: (/** @type {number} */ slot) => names[slot],
  };
  const acceptors = new Acceptors(/** @type {any} */ (sockets));
  return {
    workers,
    /** @param {string} slots whose workers serve @param {string} [blocked] those that are blocked */
    serve: (slots, blocked = '') => {
      const servers = workers.flatMap((worker, slot) => {
        const isBlocked = blocked.includes(String(slot));
        const server = { worker, slot, key: 'k', isBlocked, wasBlocked: isBlocked };
        return slots.includes(String(slot)) ? [server] : [];
      });
      sent.length = 0;
      acceptors.update(/** @type {any} */ (servers));
      return [...sent];
    },
  };
}

t.test('each worker is sent only what changes, and a blocked one nothing', (t) => {
  const { serve } = acceptorsAt(['socket 0', 'socket 1', 'socket 2']);
  t.same(
    serve('01'),
    ['a accept-from 0 with socket 0', 'b accept-from 1 with socket 1'],
    'the socket of a slot that never listened gets no connections',
  );
  t.same(serve('01'), [], 'once');
  t.same(serve('012'), ['c accept-from 2 with socket 2']);
  t.same(
    serve('01'),
    ['a accept-from 2 with socket 2', 'b accept-from 2 with socket 2', 'c accept-no-more 2'],
    'it runs, but must not have connections',
  );
  t.same(serve('012', '0'), [
    'b accept-from 0 with socket 0',
    'c accept-from 0 with socket 0',
    'c accept-from 2 with socket 2',
    'b accept-no-more 2',
  ]);
  t.same(serve('012'), ['b accept-no-more 0', 'c accept-no-more 0', 'a accept-no-more 2']);
  t.end();
});

t.test('one that begins to listen gets its socket, even if it is taken for blocked', (t) => {
  const { serve } = acceptorsAt(['socket 0', 'socket 1']);
  t.same(serve('0', '0'), ['a accept-from 0 with socket 0'], 'or its clients would be refused');
  t.same(serve('', '0'), ['a accept-no-more 0']);
  serve('1', '0');
  t.same(serve('01', '0').sort(), ['a accept-from 0 with socket 0']);
  t.end();
});

t.test('one that has exited is sent nothing', (t) => {
  const { workers, serve } = acceptorsAt(['socket 0', 'socket 1']);
  serve('01');
  workers[1].connected = false;
  t.same(serve('0'), ['a accept-from 1 with socket 1']);
  t.end();
});

t.test('two slots that have one socket, because the system refused another', (t) => {
  const { serve } = acceptorsAt(['socket 0', 'socket 0', 'socket 2']);
  t.same(serve('12'), ['b accept-from 0 with socket 0', 'c accept-from 2 with socket 2']);
  t.same(serve('012'), ['a accept-from 0 with socket 0']);
  t.same(serve('02'), ['b accept-no-more 0'], 'the other one accepts from it');
  t.end();
});

t.test('the name of a socket says which slot it is for', (t) => {
  t.equal(slotSocketName(2, '*:80'), '2/*:80');
  t.same(parseSocketName('2/*:80'), { slot: 2, address: '*:80' });
  t.same(parseSocketName('12/:::80'), { slot: 12, address: ':::80' });
  t.same(parseSocketName('*:80'), { slot: null, address: '*:80' });
  t.end();
});

/**
 * @param {number} slot whose socket it is
 * @param {string} text such as `0a 1b! 2c?`: slot and name; `!` blocked now, `?` lately; `+` it accepts
 *   from that socket so far
 */
function serversOf(slot, text) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((part) => ({
      slot: Number(part[0]),
      isOwn: Number(part[0]) === slot,
      accepts: part.endsWith('+'),
      worker: part[1],
      isBlocked: part.endsWith('!'),
      wasBlocked: /[!?]$/.test(part),
    }));
}

/** @type {[string, number, string, string][]} */
const ROWS = [
  ['its own worker', 0, '0a 1b', 'a'],
  ['it has none: all others', 0, '1b 2c', 'b c'],
  ['it has none, and nobody serves: its queue waits', 0, '', ''],
  ['its worker is blocked', 0, '0a! 1b 2c', 'a b c'],
  ['its worker was blocked lately', 0, '0a? 1b 2c', 'a b c'],
  ['a blocked one cannot stand in', 0, '1b! 2c', 'c'],
  ['one that was blocked lately can', 0, '1b? 2c', 'b c'],
  ['all are blocked', 0, '0a! 1b!', 'a'],
  ['old and new worker of a reload', 0, '0a! 0d 1b', 'a d'],
  ['both of them blocked', 0, '0a! 0d! 1b', 'a b d'],
  ['those that stand in go on', 0, '1b 2c+ 3d+ 4e+ 5f+ 6g', 'c d e f'],
  ['until one of them is blocked', 0, '1b 2c+ 3d+ 4e+ 5f!', 'b c d e'],
  ['a slot that was scaled down', 3, '0a 1b 2c', 'a b c'],
];

t.test('who accepts from the socket of a slot', (t) => {
  for (const [name, slot, servers, expected] of ROWS) {
    const acceptors = acceptorsOf(slot, serversOf(slot, servers));
    t.equal(acceptors.sort().join(' '), expected, name);
  }
  t.end();
});

t.test('of many workers some stand in, and others for each slot', (t) => {
  const servers = serversOf(9, '0a 1b 2c 3d 4e 5f 6g 7h');
  const counts = new Map(servers.map(({ worker }) => [worker, 0]));
  for (let slot = 8; slot < 72; slot++) {
    const standIns = acceptorsOf(slot, servers);
    t.equal(standIns.length, 4);
    for (const worker of standIns) counts.set(worker, (counts.get(worker) ?? 0) + 1);
  }
  const [fewest, most] = [Math.min(...counts.values()), Math.max(...counts.values())];
  t.ok(fewest >= 20 && most <= 44, `64 sockets: ${[...counts.values()]}`);
  t.end();
});
