import t from 'tap';
import { standInsFor } from '../../../../src/primary/sockets/reuseport/stand-ins.js';

/** @param {string} text such as `0a 1b! 2c?`: slot and name; `!` blocked now, `?` lately */
function serversOf(text) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((part) => ({
      slot: Number(part[0]),
      worker: part[1],
      isBlocked: part.endsWith('!'),
      wasBlocked: /[!?]$/.test(part),
    }));
}

/** @type {[string, number, string, string][]} */
const ROWS = [
  ['its own worker accepts', 0, '0a 1b', ''],
  ['it has none: all others accept', 0, '1b 2c', 'b c'],
  ['it has none, and nobody serves: its queue waits', 0, '', ''],
  ['its worker is blocked', 0, '0a! 1b 2c', 'b c'],
  ['its worker was blocked lately', 0, '0a? 1b 2c', 'b c'],
  ['a blocked one cannot stand in', 0, '1b! 2c', 'c'],
  ['one that was blocked lately can', 0, '1b? 2c', 'b c'],
  ['all are blocked: nobody could', 0, '0a! 1b!', ''],
  ['old and new worker of a reload: one accepts', 0, '0a! 0d 1b', ''],
  ['only blocked ones of its slot: not another of its own', 0, '0a! 0d! 1b', 'b'],
  ['a slot that was scaled down', 3, '0a 1b 2c', 'a b c'],
];

t.test('who accepts from the socket of a slot besides its own worker', (t) => {
  for (const [name, slot, servers, expected] of ROWS) {
    t.equal(standInsFor(slot, serversOf(servers)).join(' '), expected, name);
  }
  t.end();
});
