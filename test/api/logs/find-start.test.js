/** The lines of a file from its end. */
import t from 'tap';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { MAX_LINE, linesBackward } from '../../../src/api/logs/find-start.js';

async function backward(t, text) {
  const folder = t.testdir({ log: text });
  const handle = await open(path.join(folder, 'log'));
  const lines = [];
  for await (const { offset, line } of linesBackward(handle, (await handle.stat()).size)) {
    lines.push([offset, line.toString()]);
  }
  await handle.close();
  return lines;
}

t.test('from the end of a file to its beginning', async (t) => {
  t.same(await backward(t, ''), []);
  t.same(await backward(t, 'one\n'), [[0, 'one']]);
  t.same(await backward(t, 'one\n\nthree'), [
    [5, 'three'],
    [4, ''],
    [0, 'one'],
  ]);
  t.same(await backward(t, '\n'), [[0, '']]);
});

t.test('lines across blocks, and longer than blocks', async (t) => {
  const lengths = [70_000, 1, 65_535, 65_536, 65_537, 0, 200_000, 3];
  const lines = lengths.map((length, index) => String(index).repeat(length));
  for (const end of ['\n', '']) {
    const found = await backward(t, lines.join('\n') + end);
    t.ok(String(found.map(([, line]) => line).reverse()) === String(lines));
    t.equal(found.at(-2)[0], 70_001);
  }
});

t.test('a line without end is bounded', async (t) => {
  const long = `begin${'x'.repeat(MAX_LINE)}end`;
  const [[, last], [offset, line]] = await backward(t, `a\n${long}\nb\n`);
  t.equal(last, 'b');
  t.equal(offset, 2);
  t.ok(line === long.slice(0, MAX_LINE));
});
