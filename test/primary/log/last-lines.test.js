import t from 'tap';
import { LastLines } from '../../../src/primary/log/last-lines.js';

t.test('the last lines, without empty and truncated ones', async (t) => {
  const words = new LastLines();
  words.add(Buffer.from('one\n\n'));
  words.add(Buffer.from('two'));
  t.same(words.lines(), ['one', 'two']);
  words.add(Buffer.from(`${'x'.repeat(5000)}\nlast\n`));
  t.same(words.lines(), ['last']);
  for (let line = 0; line < 100; line++) words.add(Buffer.from(`${line}\n`));
  t.equal(words.lines().length, 20);
  t.equal(words.lines().at(-1), '99');
});
