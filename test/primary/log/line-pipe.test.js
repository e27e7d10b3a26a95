import { PassThrough } from 'node:stream';
import t from 'tap';
import { MAX_LINE, pipeLines } from '../../../src/primary/log/line-pipe.js';

/** Stands for a log file: keeps what it was given. */
const sink = (hasRoom = () => true) => ({
  chunks: [],
  resume: [],
  write(chunk) {
    this.chunks.push(String(chunk));
    return hasRoom();
  },
  whenDrained(listener) {
    this.resume.push(listener);
  },
});

t.test('only whole lines are handed on, whatever the pieces', async (t) => {
  const file = sink();
  const stream = new PassThrough();
  const ended = pipeLines(stream, file);
  for (const piece of ['on', 'e\ntwo\nth', 'ree', '\nfour']) stream.write(piece);
  stream.end();
  await ended;
  t.same(file.chunks, ['one\ntwo\n', 'three\n', 'four\n'], 'the last one gets its newline');
});

t.test('a line without an end is broken visibly', async (t) => {
  const file = sink();
  const stream = new PassThrough();
  const ended = pipeLines(stream, file);
  const half = 'x'.repeat(MAX_LINE / 2 + 1);
  for (const piece of [half, half, 'rest\n']) stream.write(piece);
  stream.end();
  await ended;
  t.same(
    file.chunks.map((chunk) => chunk.length),
    [MAX_LINE + 3, 5],
  );
  t.ok(file.chunks[0].endsWith('x\n'));
});

t.test('a file that has no room pauses the writer', async (t) => {
  let room = false;
  const file = sink(() => room);
  const stream = new PassThrough();
  const ended = pipeLines(stream, file);
  stream.write('one\n');
  await new Promise((resolve) => setImmediate(resolve));
  t.ok(stream.isPaused());
  room = true;
  for (const resume of file.resume) resume();
  stream.end('two\n');
  await ended;
  t.same(file.chunks, ['one\n', 'two\n']);
});
