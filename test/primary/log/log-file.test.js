import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { Compressor } from '../../../src/primary/log/compressor.js';
import { LogFile } from '../../../src/primary/log/log-file.js';
import { until } from '../../support/until.js';

const { createReadStream, lstatSync, mkdirSync, readFileSync, readdirSync } = fs;
const { renameSync, rmSync, statSync } = fs;
const noRotation = { uid: null, logRotate: null };
const rotated = (changes) => ({
  uid: null,
  logRotate: { maxSizeBytes: 1000, keep: 100, compress: false, ...changes },
});

/** Closed at the end: Node 26 reports an error when the garbage collector has to do it. */
const opened = new Set();
t.teardown(() => Promise.all([...opened].map((file) => file.close())));

function logFile(path, spec = noRotation, compressor = new Compressor()) {
  const ownLine = (message) => Buffer.from(`[own] ${message}\n`);
  const file = new LogFile(path, spec, { compressor, ownLine, onLoss: () => {} });
  opened.add(file);
  return file;
}

async function write(file, ...lines) {
  for (const line of lines) file.write(Buffer.from(`${line}\n`));
  await file.flushed();
}

async function writeNumbers(file, from, to) {
  for (let number = from; number < to; number++) {
    file.write(Buffer.from(`${String(number).padStart(9, '0')}\n`));
    // A few lines at a time, as they come from a worker.
    if (number % 10 === 9) await file.flushed();
  }
  await file.flushed();
}

function wholeLog(path) {
  const names = readdirSync(dirname(path)).sort();
  const past = names.filter((name) => /\.log\.\d/.test(name));
  const files = [...past.map((name) => join(dirname(path), name)), path];
  const read = (file) =>
    file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file);
  return files.map(read).join('');
}

function untilCompressed(directory) {
  const isDone = (name) => !/\.log\.\d+$/.test(name) && !name.endsWith('.tmp');
  return until(() => readdirSync(directory).every(isDone), 'rotated files to be compressed');
}

const numbers = (from, to) =>
  Array.from({ length: to - from }, (_, at) => `${String(from + at).padStart(9, '0')}\n`).join('');

t.test('chunks are appended whole and in order to a private file', async (t) => {
  const file = logFile(join(t.testdir({ 'a.log': 'before\n' }), 'a.log'));
  const lines = Array.from({ length: 1000 }, (_, line) => line);
  await write(file, ...lines);
  t.equal(readFileSync(file.path, 'utf8'), `before\n${lines.join('\n')}\n`);
  const fresh = logFile(join(t.testdirName, 'made', 'too', 'b.log'));
  await write(fresh, 'x');
  t.equal(statSync(fresh.path).mode & 0o777, 0o600, 'its folder is made');
});

t.test('a line that a killed primary left unfinished gets its newline first', async (t) => {
  const file = logFile(join(t.testdir({ 'a.log': 'whole\ntor' }), 'a.log'));
  await file.flushed();
  t.equal(readFileSync(file.path, 'utf8'), 'whole\ntor', 'not before there is something to write');
  await write(file, 'next', 'more');
  t.equal(readFileSync(file.path, 'utf8'), 'whole\ntor\nnext\nmore\n');
});

t.test('the queue is bounded: writers pause and resume', async (t) => {
  const file = logFile(join(t.testdir(), 'a.log'));
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  t.equal(file.write(Buffer.from('small\n')), true);
  t.equal(file.write(mebibyte), false);
  await file.drained();
  t.equal(file.write(Buffer.from('small\n')), true);
  await file.flushed();
});

t.test('a full file is rotated between two lines, and old ones are removed', async (t) => {
  const file = logFile(join(t.testdir(), 'a.log'), rotated({}));
  await writeNumbers(file, 0, 1000);
  t.equal(wholeLog(file.path), numbers(0, 1000));
  const past = readdirSync(t.testdirName).filter((name) => name !== 'a.log');
  t.equal(past.length, 9);
  t.equal(past[0], 'a.log.000001');
  for (const name of past) t.ok(statSync(join(t.testdirName, name)).size <= 1000);

  file.spec = rotated({ keep: 2 });
  await writeNumbers(file, 1000, 1200);
  t.same(readdirSync(t.testdirName), ['a.log', 'a.log.000010', 'a.log.000011']);
  t.equal(wholeLog(file.path), numbers(900, 1200), 'the numbers go on');
});

t.test('no file exceeds max_size, however much is queued', async (t) => {
  const file = logFile(join(t.testdir(), 'a.log'), rotated({}));
  await write(file, ...numbers(0, 300).match(/.+/g));
  const sizes = readdirSync(t.testdirName).map((name) => statSync(join(t.testdirName, name)).size);
  t.same(sizes, [1000, 1000, 1000]);
  t.equal(wholeLog(file.path), numbers(0, 300));
});

t.test('the file behind a symbolic link is rotated, and the link stays', async (t) => {
  const folder = t.testdir({ disk: {}, 'a.log': t.fixture('symlink', 'disk/a.log') });
  const file = logFile(join(folder, 'a.log'), rotated({ keep: 2 }));
  await writeNumbers(file, 0, 500);
  t.same(readdirSync(folder), ['a.log', 'disk']);
  t.ok(lstatSync(file.path).isSymbolicLink());
  t.same(readdirSync(join(folder, 'disk')), ['a.log', 'a.log.000003', 'a.log.000004']);
  t.equal(wholeLog(join(folder, 'disk', 'a.log')), numbers(200, 500));
  await file.empty();
  t.same(readdirSync(join(folder, 'disk')), ['a.log']);
});

t.test('rotated files are compressed, also those left unfinished', async (t) => {
  const left = { 'a.log.000001': numbers(0, 100), 'a.log.000001.gz.tmp': 'half', 'a.log': '' };
  const compressor = new Compressor();
  const file = logFile(join(t.testdir(left), 'a.log'), rotated({ compress: true }), compressor);
  await writeNumbers(file, 100, 450);
  await untilCompressed(t.testdirName);
  const compressed = [1, 2, 3, 4].map((number) => `a.log.00000${number}.gz`);
  t.same(readdirSync(t.testdirName), ['a.log', ...compressed]);
  t.equal(wholeLog(file.path), numbers(0, 450));
  t.equal(statSync(join(t.testdirName, 'a.log.000002.gz')).mode & 0o777, 0o600);
});

t.test('aborted compression leaves the file unchanged', async (t) => {
  const content = 'x'.repeat(4 * 1024 * 1024);
  const path = join(t.testdir({ 'a.log.000001': content }), 'a.log');
  const compressor = new Compressor();
  compressor.add(path);
  await compressor.stop();
  t.same(readdirSync(t.testdirName), ['a.log.000001']);
  t.equal(readFileSync(`${path}.000001`, 'utf8'), content);
});

t.test('two writers of one file lose nothing when either rotates it', async (t) => {
  const path = join(t.testdir(), 'a.log');
  const compressor = new Compressor();
  const files = [1, 2].map(() => logFile(path, rotated({ compress: true }), compressor));
  await Promise.all(files.map((file, at) => writeNumbers(file, at * 1000, at * 1000 + 1000)));
  await untilCompressed(dirname(path));
  const lines = wholeLog(path).split('\n').slice(0, -1);
  t.equal(lines.sort().join('\n'), numbers(0, 2000).trim());
});

t.test('a file that was moved or removed is opened again', async (t) => {
  const file = logFile(join(t.testdir(), 'a.log'));
  await writeNumbers(file, 0, 10);
  renameSync(file.path, `${file.path}.moved`);
  await writeNumbers(file, 10, 20);
  t.equal(readFileSync(`${file.path}.moved`, 'utf8'), numbers(0, 10));
  t.equal(readFileSync(file.path, 'utf8'), numbers(10, 20));
  rmSync(file.path);
  await writeNumbers(file, 20, 30);
  t.equal(readFileSync(file.path, 'utf8'), numbers(20, 30));
});

t.test('a file is emptied in order with what is written', async (t) => {
  const file = logFile(join(t.testdir(), 'a.log'), rotated({}));
  await writeNumbers(file, 0, 300);
  file.write(Buffer.from('before\n'));
  const emptied = file.empty();
  file.write(Buffer.from('after\n'));
  await emptied;
  await file.flushed();
  t.same(readdirSync(t.testdirName), ['a.log']);
  t.equal(readFileSync(file.path, 'utf8'), 'after\n');
});

t.test('lines that cannot be written are counted, and the loss is declared', async (t) => {
  const dir = t.testdir({ place: 'a file' });
  const path = join(dir, 'place', 'a.log');
  const file = logFile(path);
  await write(file, 'lost');
  t.match(file.loss, { bytes: 5, reason: 'ENOTDIR' });
  rmSync(join(dir, 'place'));
  mkdirSync(join(dir, 'place'));
  await write(file, 'kept');
  const declared = '[own] 1 line (5 bytes) was lost here (ENOTDIR)\nkept\n';
  t.equal(readFileSync(path, 'utf8'), declared);
  t.equal(file.loss.bytes, 5);
});

t.test('a file that is closed says what it lost, if it can', async (t) => {
  const dir = t.testdir({ place: 'a file' });
  const path = join(dir, 'place', 'a.log');
  const file = logFile(path);
  await write(file, 'lost\nand lost');
  rmSync(join(dir, 'place'));
  await file.close();
  t.equal(readFileSync(path, 'utf8'), '[own] 2 lines (14 bytes) were lost here (ENOTDIR)\n');
});

t.test('a named pipe without a reader delays nothing', async (t) => {
  const file = logFile(join(t.testdir(), 'a.log'));
  execFileSync('mkfifo', [file.path]);
  await write(file, 'lost');
  t.match(file.loss, { bytes: 5, reason: 'the pipe has no reader' });

  // Opening it to read would block until there is a writer.
  const holder = fs.openSync(file.path, 'r+');
  const reader = createReadStream(file.path, { encoding: 'utf8' });
  await once(reader, 'open');
  file.write(Buffer.from(`${'x'.repeat(300_000)}\n`));
  file.write(Buffer.from('end\n'));
  let text = '';
  for await (const part of reader) {
    text += part;
    if (text.endsWith('end\n')) break;
  }
  fs.closeSync(holder);
  await file.flushed();
  t.equal(file.loss.bytes, 5, 'a pipe that is full is waited for');
  const declared = '[own] 1 line (5 bytes) was lost here (the pipe has no reader)';
  t.equal(text.replace(/x+/, 'x'), `${declared}\nx\nend\n`);
});
