import t from 'tap';
import { acceptorsOf, fewer, more } from '../../src/lifecycle/acceptors.js';

/** @param {string} text such as `a0 b3+ c1! d0?`: name and load; `+` accepts so far, `!` blocked now, `?` lately */
function workersOf(text) {
  return text.split(' ').map((part) => ({
    name: part[0],
    load: Number.parseInt(part.slice(1), 10),
    accepts: part.includes('+'),
    isBlocked: part.includes('!'),
    wasBlocked: /[!?]/.test(part),
  }));
}

/** @type {[string, string, number, string][]} */
const ROWS = [
  ['a few workers all accept', 'a0 b9+ c0! d0?', 2, 'a b c d'],
  ['of more than four, two', 'a0 b0 c0 d0 e0', 0, 'a b'],
  ['as many as are wanted', 'a0 b0 c0 d0 e0', 3, 'a b c'],
  ['those that do go on', 'a0 b0 c0+ d0 e0+', 2, 'c e'],
  ['if one is blocked, another one follows', 'a0 b0 c0+! d0 e0+', 2, 'a e'],
  ['and as many again, since more may be', 'a0 b0 c0+! d0 e0+! f0 g0', 2, 'a b d f'],
  ['one that was blocked lately only if no other is left', 'a0 b0+? c0 d0! e0!', 2, 'a b c'],
  ['one that has more than its share only then', 'a0 b9+ c0 d0 e0+', 2, 'a e'],
  ['those with the fewest connections first', 'a3 b2 c1 d1 e3', 2, 'c d'],
  ['if all were blocked lately, all that are wanted', 'a0+? b0? c0? d0? e0?', 5, 'a b c d e'],
  ['all are blocked', 'a0! b0! c0! d0! e0!', 2, ''],
];

t.test('who accepts', (t) => {
  for (const [name, workers, wanted, expected] of ROWS) {
    const names = acceptorsOf(workersOf(workers), wanted, 64).map((each) => each.name);
    t.equal(names.sort().join(' '), expected, name);
  }
  t.end();
});

t.test('more accept while they are not enough, and fewer when they have been for a while', (t) => {
  t.equal(more(0, 64), 4);
  t.equal(more(4, 64), 8);
  t.equal(more(40, 64), 64);
  t.equal(more(2, 3), 3);
  t.equal(fewer(64, 999), 64);
  t.equal(fewer(64, 1000), 48);
  t.equal(fewer(64, 3500), 27);
  t.equal(fewer(64, 60_000), 2);
  t.equal(fewer(0, 0), 2);
  t.end();
});
