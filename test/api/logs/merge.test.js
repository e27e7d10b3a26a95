import t from 'tap';
import { isQuiet, oneRound } from '../../../src/api/logs/merge.js';

/** A reader that has these batches: each entry a time, or null. */
function readerWith(name, batches) {
  let entries = [];
  let last = -Infinity;
  return {
    isAtEnd: false,
    get nextTime() {
      return entries.length ? (entries[0] ?? last) : null;
    },
    take() {
      const time = entries.shift();
      last = time ?? last;
      return { message: `${name}${time ?? '-'}` };
    },
    async fill() {
      entries = batches.shift() ?? [];
      this.isAtEnd = entries.length === 0;
      return entries.length > 0;
    },
  };
}

async function round(...readers) {
  const messages = [];
  for await (const { entry } of oneRound(readers)) messages.push(entry.message);
  return messages.join(' ');
}

t.test('in the order of time, across batches', async (t) => {
  const a = readerWith('a', [
    [1, 4],
    [5, 9],
  ]);
  const b = readerWith('b', [[2, 3, 6]]);
  t.equal(await round(a, b), 'a1 b2 b3 a4 a5 b6 a9');
  t.ok(isQuiet([a, b]));
});

t.test('of equal times, the first reader first', async (t) => {
  t.equal(await round(readerWith('a', [[1, 1]]), readerWith('b', [[1]])), 'a1 a1 b1');
});

t.test('a line without time stays behind the one before it', async (t) => {
  const a = readerWith('a', [[1, null, null, 5]]);
  t.equal(await round(a, readerWith('b', [[2, 3]])), 'a1 a- a- b2 b3 a5');
});

t.test('lines without any time do not wait', async (t) => {
  const a = readerWith('a', [[1, 2]]);
  t.equal(await round(a, readerWith('b', [[null, null]])), 'b- b- a1 a2');
});

t.test('an endless log leaves the others a turn', async (t) => {
  const endless = readerWith('a', []);
  endless.fill = async () => true;
  Object.defineProperty(endless, 'nextTime', { value: 1 });
  endless.take = () => ({ message: 'a' });
  const late = readerWith('b', [[], [0]]);
  await round(endless, late);
  t.match(await round(endless, late), /^b0 a/);
  t.notOk(isQuiet([endless, late]));
});

t.test('nothing', async (t) => {
  t.equal(await round(), '');
  t.ok(isQuiet([]));
});
