import t from 'tap';
import { acceptorsOf } from '../../../../src/primary/sockets/reuseport/acceptors.js';

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
