import { PassThrough } from 'node:stream';
import t from 'tap';
import { LinePipe } from '../../../src/primary/log/line-pipe.js';
import { until } from '../../support/until.js';
import { logSink } from './log-sink.js';

const MAX_LINE = 256 * 1024;

t.test('only whole lines are passed on, however they are split', async (t) => {
  const sink = logSink();
  const stream = new PassThrough();
  const { ended } = new LinePipe(stream, sink);
  for (const piece of ['on', 'e\ntwo\nth', 'ree', '\nfour']) stream.write(piece);
  stream.end();
  await ended;
  t.same(sink.chunks, ['one\ntwo\n', 'three\n', 'four\n'], 'the last one gets its newline');
  t.notOk(sink.goesOn.includes(true));
});

t.test('a line that is too long is split between two characters', async (t) => {
  const sink = logSink();
  const stream = new PassThrough();
  const { ended } = new LinePipe(stream, sink);
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
  const { ended } = new LinePipe(stream, sink);
  stream.write('one\n');
  await new Promise((resolve) => setImmediate(resolve));
  t.ok(stream.isPaused());
  room = true;
  for (const resume of sink.resume) resume();
  stream.end('two\n');
  await ended;
  t.same(sink.chunks, ['one\n', 'two\n']);
});

t.test('an unfinished line is passed on after a while, and says that it goes on', async (t) => {
  const sink = logSink();
  const stream = new PassThrough();
  const { ended } = new LinePipe(stream, sink);
  stream.write('soon ');
  stream.write('complete\nName: ');
  await until(() => sink.chunks.length === 2, 'the prompt');
  stream.write(Buffer.concat([Buffer.from('Zo'), Buffer.from('ë').subarray(0, 1)]));
  await until(() => sink.chunks.length === 3, 'the next piece');
  stream.write(Buffer.from('ë').subarray(1));
  await until(() => sink.chunks.length === 4, 'the last piece');
  stream.end('\nnext\n');
  await ended;
  t.same(sink.chunks, ['soon complete\n', 'Name: \n', 'Zo\n', 'ë\n', 'next\n']);
  t.same(sink.goesOn, [false, false, true, true, false], 'its end is no piece of its own');
});

t.test('half a character that stays alone is passed on as it is', async (t) => {
  /** @type {Buffer[]} */
  const written = [];
  const write = (/** @type {Buffer} */ lines) => written.push(lines) > 0;
  const stream = new PassThrough();
  const { ended } = new LinePipe(stream, { write, drained: async () => {} });
  stream.write(Buffer.of(0xe9));
  await until(() => written.length === 1, 'the byte');
  t.same(written, [Buffer.of(0xe9, 0x0a)]);
  stream.end();
  await ended;
});

t.test('a line whose rest waits in a paused stream stays whole', async (t) => {
  const sink = logSink(() => false);
  const stream = new PassThrough();
  const { ended } = new LinePipe(stream, sink);
  stream.write('one\ntw');
  await until(() => stream.isPaused(), 'the pause');
  stream.end('o\n');
  const other = { sink: logSink(), stream: new PassThrough() };
  new LinePipe(other.stream, other.sink);
  other.stream.write('unfinished');
  await until(() => other.sink.chunks.length === 1, 'the time after which lines are split');
  for (const resume of sink.resume) resume();
  await ended;
  t.same(sink.chunks, ['one\n', 'two\n']);
});
