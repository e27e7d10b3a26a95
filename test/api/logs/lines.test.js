/** Lines from chunks, forward and backward. */
import t from 'tap';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { LineSplitter, MAX_LINE, linesBackward } from '../../../src/api/logs/lines.js';

/** @param {string[]} chunks */
function split(chunks) {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk))).map(String);
  return { lines, isWithinLine: splitter.isWithinLine };
}

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

t.test('chunks end anywhere', async (t) => {
  t.same(split(['a\nb', 'c\n', '\n', 'd']), { lines: ['a', 'bc', ''], isWithinLine: true });
  t.same(split([]), { lines: [], isWithinLine: false });
  const euro = Buffer.from('€\n');
  const splitter = new LineSplitter();
  t.same(splitter.push(euro.subarray(0, 1)), []);
  t.equal(String(splitter.push(euro.subarray(1))[0]), '€');
});

t.test('a line without end is bounded', async (t) => {
  const splitter = new LineSplitter();
  const part = Buffer.alloc(MAX_LINE / 4, 'x');
  for (let count = 0; count < 10; count += 1) t.same(splitter.push(part), []);
  const [line, next] = splitter.push(Buffer.from('y\nnext\n'));
  t.equal(line.length, MAX_LINE + ` … ${1.5 * MAX_LINE + 1} more bytes`.length + 2);
  t.match(line.subarray(-30).toString(), ` … ${1.5 * MAX_LINE + 1} more bytes`);
  t.equal(next.toString(), 'next');
});

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

t.test('backward, too, a line without end is bounded', async (t) => {
  const long = `begin${'x'.repeat(MAX_LINE)}end`;
  const [[, last], [offset, line]] = await backward(t, `a\n${long}\nb\n`);
  t.equal(last, 'b');
  t.equal(offset, 2);
  t.ok(line === `${long.slice(0, MAX_LINE)} … 8 more bytes`);
});
