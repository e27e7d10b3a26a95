import t from 'tap';
import { chooseReceiver, isNoteworthy, limitFor } from '../../src/lifecycle/fair-share.js';

/** @type {[string, number[], number | null][]} */
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

t.test('a worker may exceed its share by one, by two or by an eighth', (t) => {
  for (const [name, loads, limit] of LIMITS) t.equal(limitFor(loads, loads.length), limit, name);
  t.end();
});

t.test('with more workers than cores, few connections stay where they are', (t) => {
  const none = Array.from({ length: 64 }, () => 0);
  t.equal(limitFor(none, 64), 1);
  t.equal(limitFor(none, 16), 4, 'as many as there are workers for each core');
  t.equal(limitFor(none.fill(20), 16), 22, 'many go by the share');
  t.end();
});

/** @type {[number | null, number | null, boolean][]} */
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

t.test('a worker is notified of a limit that is much lower than the one that it knows', (t) => {
  for (const [known, limit, noteworthy] of CHANGES) {
    t.equal(isNoteworthy(known, limit), noteworthy, `${known} → ${limit}`);
  }
  t.end();
});

/** @param {string} text `s` sender, `b` busy, `l` late, after the load */
function receiver(text) {
  return {
    name: text,
    load: parseInt(text, 10),
    isSender: text.includes('s'),
    isFree: !/[bl]/.test(text),
    isLate: text.includes('l'),
  };
}

/** @type {[string, string[], number | null, string | undefined][]} */
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

t.test('who gets a connection that was handed over', (t) => {
  for (const [name, workers, limit, chosen] of CHOICES) {
    t.equal(chooseReceiver(workers.map(receiver), limit)?.name, chosen, name);
  }
  t.end();
});
