import t from 'tap';
import { LineSplitter } from '../../src/shared/line-splitter.js';

t.test('lines come out whole, however the stream was cut', async (t) => {
  const lines = ['', 'a', 'grün 🦔', 'x'.repeat(5000), ''];
  const stream = Buffer.from(`${lines.join('\n')}\nrest`);
  for (const size of [1, 2, 3, 7, 100, stream.length]) {
    const splitter = new LineSplitter(Infinity);
    const found = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const line of splitter.push(stream.subarray(at, at + size))) found.push(`${line}`);
    }
    t.strictSame(found, lines, `${size} bytes at a time`);
    t.ok(splitter.isWithinLine);
    t.same([...splitter.push(Buffer.from('\n'))].map(String), ['rest']);
    t.notOk(splitter.isWithinLine);
  }
});

t.test('a line without end is bounded', async (t) => {
  const splitter = new LineSplitter(4000);
  const part = Buffer.alloc(1000, 'x');
  for (let count = 0; count < 10; count += 1) t.same([...splitter.push(part)], []);
  const [line, next] = [...splitter.push(Buffer.from('y\nnext\n'))].map(String);
  t.equal(line, `${'x'.repeat(4000)} … 6001 more bytes`);
  t.equal(next, 'next');
  t.same([...splitter.push(Buffer.alloc(4001, '\n').fill('z', 0, 4000))].map(String), [
    'z'.repeat(4000),
  ]);
});
