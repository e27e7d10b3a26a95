import { PassThrough } from 'node:stream';
import t from 'tap';
import { pipeLines } from '../../../src/primary/log/line-pipe.js';
import { logSink } from './log-sink.js';

const MAX_LINE = 256 * 1024;

t.test('only whole lines are passed on, however they are split', async (t) => {
  const sink = logSink();
  const stream = new PassThrough();
  const { ended } = pipeLines(stream, sink);
  for (const piece of ['on', 'e\ntwo\nth', 'ree', '\nfour']) stream.write(piece);
  stream.end();
  await ended;
  t.same(sink.chunks, ['one\ntwo\n', 'three\n', 'four\n'], 'the last one gets its newline');
  t.notOk(sink.goesOn.includes(true));
});

t.test('a line that is too long is split between two characters', async (t) => {
  const sink = logSink();
  const stream = new PassThrough();
  const { ended } = pipeLines(stream, sink);
  const long = `${'x'.repeat(MAX_LINE - 1)}€${'y'.repeat(MAX_LINE)}`;
  for (let at = 0; at < long.length; at += 50_000) stream.write(long.slice(at, at + 50_000));
  stream.end('z\nnext\n');
  await ended;
  t.same(sink.goesOn, [false, true, true]);
  t.equal(sink.chunks[0], `${'x'.repeat(MAX_LINE - 1)}\n`);
  t.equal(sink.chunks.join('').replace(/\n/g, ''), `${long}znext`);
  t.ok(sink.chunks[2].endsWith('z\nnext\n'));
});

t.test('a full queue pauses the writer', async (t) => {
  let room = false;
  const sink = logSink(() => room);
  const stream = new PassThrough();
  const { ended } = pipeLines(stream, sink);
  stream.write('one\n');
  await new Promise((resolve) => setImmediate(resolve));
  t.ok(stream.isPaused());
  room = true;
  for (const resume of sink.resume) resume();
  stream.end('two\n');
  await ended;
  t.same(sink.chunks, ['one\n', 'two\n']);
});
