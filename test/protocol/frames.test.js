import t from 'tap';
import { FrameSplitter, decodeFrame, encodeFrame } from '../../src/protocol/frames.js';

t.test('lines come out whole, however the stream was cut', async (t) => {
  const lines = ['', 'a', 'grün 🦔', 'x'.repeat(5000)];
  const stream = Buffer.from(`${lines.join('\n')}\nrest`);
  for (const size of [1, 2, 3, 7, 100, stream.length]) {
    const splitter = new FrameSplitter();
    const found = [];
    for (let at = 0; at < stream.length; at += size) {
      for (const line of splitter.push(stream.subarray(at, at + size))) found.push(`${line}`);
    }
    t.strictSame(found, lines, `${size} bytes at a time`);
  }
});

t.test('a line may be as long as allowed and not a byte longer', async (t) => {
  const splitter = new FrameSplitter(10);
  t.equal([...splitter.push(Buffer.from('0123456789\n0123456789\n'))].length, 2);
  t.throws(() => [...splitter.push(Buffer.from('0123456789a\n'))], {
    code: 'E_PROTOCOL_FRAME_SIZE',
  });
  const unfinished = new FrameSplitter(10);
  t.throws(() => [...unfinished.push(Buffer.from('0123456789a'))], {
    code: 'E_PROTOCOL_FRAME_SIZE',
  });
  t.throws(() => encodeFrame({ text: 'x'.repeat(20) }, 10), { code: 'E_PROTOCOL_FRAME_SIZE' });
});

t.test('only JSON-RPC 2.0 is a message', async (t) => {
  t.strictSame(decodeFrame(Buffer.from('{"jsonrpc":"2.0","id":1}')), { jsonrpc: '2.0', id: 1 });
  for (const text of ['', 'GET / HTTP/1.1', '{"id":1', 'null', '[]', '7', '{"jsonrpc":"1.0"}']) {
    t.throws(() => decodeFrame(Buffer.from(text)), { code: 'E_PROTOCOL_FRAME' }, text);
  }
});
