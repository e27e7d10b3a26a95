import t from 'tap';
import { decodeFrame, encodeFrame, frameSplitter } from '../../src/protocol/frames.js';

t.test('a line may be as long as allowed and not a byte longer', async (t) => {
  const splitter = frameSplitter(10);
  t.equal([...splitter.push(Buffer.from('0123456789\n0123456789\n'))].length, 2);
  t.throws(() => [...splitter.push(Buffer.from('0123456789a\n'))], {
    code: 'E_PROTOCOL_FRAME_SIZE',
  });
  const unfinished = frameSplitter(10);
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
