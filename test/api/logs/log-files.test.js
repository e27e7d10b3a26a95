import t from 'tap';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rotatedChunks } from '../../../src/api/logs/log-files.js';

async function contentOf(file, offset) {
  const chunks = [];
  for await (const chunk of rotatedChunks(file, offset)) chunks.push(chunk);
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
