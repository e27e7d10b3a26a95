import t from 'tap';
import { acceptorsOf } from '../../../../src/primary/sockets/reuseport/acceptors.js';

/**
 * @param {number} slot whose socket it is
 * @param {string} text such as `0a 1b! 2c?`: slot and name; `!` blocked now, `?` lately
 */
function serversOf(slot, text) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((part) => ({
      isOwn: Number(part[0]) === slot,
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
  ['both of them blocked', 0, '0a! 0d! 1b', 'a d b'],
  ['a slot that was scaled down', 3, '0a 1b 2c', 'a b c'],
];

t.test('who accepts from the socket of a slot', (t) => {
  for (const [name, slot, servers, expected] of ROWS) {
    t.equal(acceptorsOf(serversOf(slot, servers)).join(' '), expected, name);
  }
  t.end();
});
