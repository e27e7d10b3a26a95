import t from 'tap';
import * as fairShare from '../../src/lifecycle/fair-share.js';

const LIMITS = [
  ['nobody takes any', [], null],
  ['alone it hands over none', [500], null],
  ['the first connection: the next one is for another worker', [0, 0], 1],
  ['the only one', [1, 0], 1],
  ['fewer than two each: one more', [3, 1, 1, 0], 2],
  ['few: two more than the share', [3, 2, 2, 2], 4],
  ['a share that is not a whole number is rounded down', [25, 26], 28],
  ['many: an eighth more', [200, 0], 112],
  ['200 over eight', [25, 25, 25, 25, 25, 25, 25, 25], 28],
];

t.test('a worker may exceed its share by one, by two or by an eighth', async (t) => {
  for (const [name, loads, limit] of LIMITS)
    t.equal(fairShare.limitFor(loads, loads.length), limit, name);
  const none = Array.from({ length: 64 }, () => 0);
  t.equal(fairShare.limitFor(none, 64), 1);
  t.equal(fairShare.limitFor(none, 16), 4, 'as many as there are workers for each core');
  t.equal(fairShare.limitFor(none.fill(20), 16), 22, 'many go by the share');
});

const CHANGES = [
  [null, null, false],
  [null, 2, true],
  [2, null, true],
  [0, 2, true],
  [2, 0, true],
  [0, 0, false],
  [2, 3, false],
  [32, 200, false],
  [32, 24, false],
  [32, 23, true],
];

t.test('a worker is notified of a limit much lower than the one that it knows', async (t) => {
  for (const [known, limit, noteworthy] of CHANGES) {
    t.equal(fairShare.isNoteworthy(known, limit), noteworthy, `${known} → ${limit}`);
  }
});

/** @param text `s` sender, `b` busy, `l` late, after the load */
function receiver(text) {
  return {
    name: text,
    load: parseInt(text, 10),
    isSender: text.includes('s'),
    isFree: !/[bl]/.test(text),
    isLate: text.includes('l'),
  };
}

const CHOICES = [
  ['the one with the fewest', ['9s', '4', '3', '5'], 6, '3'],
  ['of those that are free', ['9s', '4', '3b', '5'], 6, '4'],
  ['not the sender above its limit, though it has fewer', ['6s', '8'], 6, '8'],
  ['another one with as many', ['2s', '2'], 6, '2'],
  ['the sender if its limit has risen meanwhile', ['2s', '8'], 12, '2s'],
  ['the sender if there is no limit any more', ['2s', '8'], null, '2s'],
  ['none while another will be free in a moment', ['9s', '3b', '4l'], 6, undefined],
  ['the sender if all others are late', ['9s', '3l', '4l'], 6, '9s'],
  ['the sender if it is alone', ['9s'], 6, '9s'],
  ['none while the sender has not acknowledged another one', ['9sb', '3l'], 6, undefined],
  ['none if all are late', ['9sl', '3l'], 6, undefined],
  ['another one if the sender takes none any more', ['3', '4'], 6, '3'],
  ['none if there is none', [], null, undefined],
];

t.test('who gets a connection that was handed over', async (t) => {
  for (const [name, workers, limit, chosen] of CHOICES) {
    t.equal(fairShare.chooseReceiver(workers.map(receiver), limit)?.name, chosen, name);
  }
});

/**
 * @param text such as `a0 b3+ c1!`: name and load; `+` accepts so far, `!` blocked now
 */
function workersOf(text) {
  return text.split(' ').map((part) => ({
    name: part[0],
    load: Number.parseInt(part.slice(1), 10),
    accepts: part.includes('+'),
    isBlocked: part.includes('!'),
  }));
}

const ROWS = [
  ['a few workers all accept', 'a0 b9+ c0! d0', 2, 'a b c d'],
  ['of more than four, two', 'a0 b0 c0 d0 e0', 0, 'a b'],
  ['as many as are wanted', 'a0 b0 c0 d0 e0', 3, 'a b c'],
  ['those that do go on', 'a0 b0 c0+ d0 e0+', 2, 'c e'],
  ['if one is blocked, another one follows', 'a0 b0 c0+! d0 e0+', 2, 'a e'],
  ['and as many again, since more may be', 'a0 b0 c0+! d0 e0+! f0 g0', 2, 'a b d f'],
  ['one that has more than its share only then', 'a0 b9+ c0 d0 e0+', 2, 'a e'],
  ['those with the fewest connections first', 'a3 b2 c1 d1 e3', 2, 'c d'],
  ['all are blocked', 'a0! b0! c0! d0! e0!', 2, ''],
];

t.test('who accepts', async (t) => {
  for (const [name, workers, wanted, expected] of ROWS) {
    const names = fairShare.acceptorsOf(workersOf(workers), wanted, 64).map((each) => each.name);
    t.equal(names.sort().join(' '), expected, name);
  }
});

const NEEDED = [
  ['one connection', [1, 0, 0, 0, 0, 0, 0, 0], 8, 2],
  ['eight over eight cores', [8, 0, 0, 0, 0, 0, 0, 0], 8, 5],
  ['on two cores fewer workers hold as many', [8, 0, 0, 0, 0, 0, 0, 0], 2, 3],
  ['many connections need all', Array.from({ length: 8 }, () => 100), 8, 8],
  ['one worker', [5], 8, 0],
];

t.test('as many accept as can hold all connections', async (t) => {
  for (const [name, loads, cores, needed] of NEEDED)
    t.equal(fairShare.neededFor(loads, cores), needed, name);
});

t.test('fewer accept when so many have not been needed for a while', async (t) => {
  t.equal(fairShare.stillNeeded(64, 999), 64);
  t.equal(fairShare.stillNeeded(64, 1000), 48);
  t.equal(fairShare.stillNeeded(64, 3500), 27);
  t.equal(fairShare.stillNeeded(64, 60_000), 2);
  t.equal(fairShare.stillNeeded(0, 0), 2);
});
