import t from 'tap';
import { acceptorsOf, neededFor, stillNeeded } from '../../src/lifecycle/fair-share.js';

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

/** @type {[string, number[], number, number][]} */
const NEEDED = [
  ['one connection', [1, 0, 0, 0, 0, 0, 0, 0], 8, 2],
  ['eight over eight cores', [8, 0, 0, 0, 0, 0, 0, 0], 8, 5],
  ['on two cores fewer workers hold as many', [8, 0, 0, 0, 0, 0, 0, 0], 2, 3],
  ['many connections need all', Array.from({ length: 8 }, () => 100), 8, 8],
  ['one worker', [5], 8, 0],
];

t.test('as many accept as can hold all connections', (t) => {
  for (const [name, loads, cores, needed] of NEEDED) t.equal(neededFor(loads, cores), needed, name);
  t.end();
});

t.test('fewer accept when so many have not been needed for a while', (t) => {
  t.equal(stillNeeded(64, 999), 64);
  t.equal(stillNeeded(64, 1000), 48);
  t.equal(stillNeeded(64, 3500), 27);
  t.equal(stillNeeded(64, 60_000), 2);
  t.equal(stillNeeded(0, 0), 2);
  t.end();
});
