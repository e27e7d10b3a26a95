/** What is in the files of a log, from a place on and from the end. */
import t from 'tap';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { MAX_LINE, contentOfRotated, linesBackward } from '../../../src/api/logs/log-files.js';

async function contentOf(file, offset) {
  const chunks = [];
  for await (const chunk of contentOfRotated(file, offset)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

t.test('compressed or not, from an offset in the content', async (t) => {
  const folder = t.testdir({ 'a.000001': 'hello', 'a.000002.gz': gzipSync('hello') });
  const plain = { path: path.join(folder, 'a.000001'), number: 1, isCompressed: false };
  const gzip = { path: path.join(folder, 'a.000002.gz'), number: 2, isCompressed: true };
  for (const [offset, content] of [
    [0, 'hello'],
    [3, 'lo'],
    [5, ''],
  ]) {
    t.equal(await contentOf(plain, offset), content);
    t.equal(await contentOf(gzip, offset), content);
  }
});

t.test('a file that was compressed after it was listed', async (t) => {
  const folder = t.testdir({ 'a.000001.gz': gzipSync('hello') });
  const listed = { path: path.join(folder, 'a.000001'), number: 1, isCompressed: false };
  t.equal(await contentOf(listed, 0), 'hello');
});

t.test('a file that was removed after it was listed', async (t) => {
  const listed = { path: path.join(t.testdir(), 'a.000001'), number: 1, isCompressed: false };
  await t.rejects(contentOf(listed, 0), { code: 'ENOENT' });
});

async function backward(t, text) {
  const folder = t.testdir({ log: text });
  const handle = await open(path.join(folder, 'log'));
  const { size } = await handle.stat();
  const lines = [];
  for await (const { offset, line } of linesBackward({ handle, size })) {
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
