/** A log in a folder of its own: where reading begins, and what is seen of what happens to it. */
import t from 'tap';
import * as fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { MAX_LINE, contentOfRotated } from '../../../src/api/logs/log-files.js';
import { readLog } from '../../../src/api/logs/log-reader.js';

const PLENTY = { lines: Infinity, sinceMs: null };

function logIn(t, files) {
  const folder = t.testdir();
  const file = (end = '') => path.join(folder, `app.log${end}`);
  for (const [end, content] of Object.entries(files)) fs.writeFileSync(file(end), content);
  return file;
}

/** Lines are `<time> <message>`, or a message alone. */
function sourceOf(file, accepts = () => true) {
  const read = (line) => {
    const [, time = null, message] = /^(?:(\d+) )?(.*)$/.exec(line);
    return { time: time && Number(time), message };
  };
  return { path: file, owner: 'app', read, accepts };
}

/** @returns what is read now, and how many files were missed or which could not be read */
async function readerOf(t, file, { past = PLENTY, follows = true, accepts, createdAt } = {}) {
  const missed = [];
  const warn = ({ code, data }) => missed.push(code === 'E_LOG_MISSED' ? data.files : data);
  const source = { ...sourceOf(file(), accepts), createdAt };
  const reader = readLog(source, { past, follows, warn });
  t.teardown(() => reader.return());
  await reader.next();
  return { reader, missed, now: () => messagesOf(reader) };
}

async function messagesOf(reader) {
  const messages = [];
  for (let value; (value = (await reader.next()).value);) {
    messages.push(...value.map(({ message }) => message));
  }
  return messages.join(' ');
}

/** @returns whether this process has it open; false where that is not known */
function isOpen(file) {
  const descriptors = '/proc/self/fd';
  if (!fs.existsSync(descriptors)) return false;
  return fs.readdirSync(descriptors).some((name) => {
    const link = path.join(descriptors, name);
    // The one that the folder was read with is closed by now.
    return fs.existsSync(link) && fs.readlinkSync(link) === file;
  });
}

const zipped = (text) => gzipSync(Buffer.from(text));

t.test('what a former app of that name wrote is read only if its time is requested', async (t) => {
  const lives = '1 a\n2 b\nof that\n';
  for (const older of [{}, { '.000001': lives }, { '.000001.gz': zipped(lives) }]) {
    const text = Object.keys(older).length > 0 ? '4 c\n' : `${lives}4 c\n`;
    const file = logIn(t, { ...older, '': text });
    const read = async (past) =>
      (await readerOf(t, file, { past, follows: false, createdAt: 2 })).now();
    t.equal(await read(PLENTY), 'b of that c');
    t.equal(await read({ ...PLENTY, lines: 2 }), 'of that c');
    t.equal(await read({ ...PLENTY, sinceMs: 1 }), 'a b of that c');
  }
});

t.test('the last lines, as far back as needed', async (t) => {
  const file = logIn(t, {
    '': 'f\ng\n',
    '.000003': 'd\ne\n',
    '.000002.gz': zipped('b\nc\n'),
    '.000001.gz': zipped('a\n'),
  });
  for (const lines of [0, 1, 2, 3, 5, 6, 7, 100, Infinity]) {
    for (const follows of [true, false]) {
      const { now, missed } = await readerOf(t, file, { past: { lines, sinceMs: null }, follows });
      const seen = [...'abcdefg'].slice(Math.max(0, 7 - lines)).join(' ');
      t.equal(await now(), seen, `${lines} lines`);
      t.same(missed, []);
    }
  }
});

t.test('only accepted lines count', async (t) => {
  const file = logIn(t, { '': 'x\nno\ny\n', '.000001.gz': zipped('u\nv\nno\nw\n') });
  const accepts = ({ message }) => message !== 'no';
  const { now } = await readerOf(t, file, { past: { lines: 4, sinceMs: null }, accepts });
  t.equal(await now(), 'v w x y');
});

t.test('no more bytes than maxBytes; a compressed file completely', async (t) => {
  const file = logIn(t, { '': 'f\ng\n', '.000002': 'd\ne\n', '.000001.gz': zipped('b\nc\n') });
  const most = { 1: '', 3: 'g', 4: 'f g', 9: 'b c d e f g' };
  for (const [bytes, seen] of Object.entries(most)) {
    const maxBytes = Number(bytes);
    const { now } = await readerOf(t, file, { past: { ...PLENTY, maxBytes } });
    t.equal(await now(), seen, `${maxBytes} bytes`);
  }
});

t.test('lines since a time', async (t) => {
  const file = logIn(t, {
    '': '50 f\n60 g\n',
    '.000003': '30 c\nd\n40 e\n',
    '.000002.gz': zipped('10 a\n20 b\n'),
    '.000001.gz': 'this is never looked into',
  });
  const since = { 15: 'b c d e f g', 35: 'e f g', 55: 'g', 70: '' };
  for (const [time, seen] of Object.entries(since)) {
    const { now } = await readerOf(t, file, { past: { ...PLENTY, sinceMs: Number(time) } });
    t.equal(await now(), seen, `since ${time}`);
  }
  const { now } = await readerOf(t, file, { past: { lines: 2, sinceMs: 15 } });
  t.equal(await now(), 'f g');
});

t.test('a file that cannot be read', async (t) => {
  const folder = t.testdir();
  fs.writeFileSync(path.join(folder, 'app.log'), '');
  const inFile = (end = '') => path.join(folder, 'app.log', `x${end}`);
  await t.rejects(readerOf(t, inFile), { code: 'E_LOG_FILE', data: { reason: 'ENOTDIR' } });
  const file = logIn(t, { '': 'a\n' });
  const { reader, now } = await readerOf(t, file);
  t.equal(await now(), 'a');
  t.ok(isOpen(file()) || !fs.existsSync('/proc/self/fd'));
  await reader.return();
  t.notOk(isOpen(file()), 'a reader that is left holds no file');
});

t.test('a line is shown when it is complete, or at the end without following', async (t) => {
  const file = logIn(t, { '': 'a\nb' });
  t.equal(await (await readerOf(t, file, { follows: false })).now(), 'a b');
  const { now } = await readerOf(t, file);
  t.equal(await now(), 'a');
  fs.appendFileSync(file(), 'c\n');
  t.equal(await now(), 'bc');
});

t.test('a file that appears later; without following, later lines are not read', async (t) => {
  const file = logIn(t, {});
  const { now } = await readerOf(t, file);
  t.equal(await now(), '');
  fs.writeFileSync(file(), 'a\n');
  t.equal(await now(), 'a');
  const once = await readerOf(t, file, { follows: false });
  fs.appendFileSync(file(), 'b\n');
  t.equal(await once.now(), 'a');
});

t.test('rotation: the old file to its end, the files in between, the new one', async (t) => {
  const file = logIn(t, { '': 'a\n' });
  const { now, missed } = await readerOf(t, file);
  t.equal(await now(), 'a');
  fs.appendFileSync(file(), 'b\n');
  fs.renameSync(file(), file('.000001'));
  t.equal(await now(), 'b', 'nothing in its place yet');
  fs.appendFileSync(file('.000001'), 'c\n');
  fs.writeFileSync(file(), 'e\n');
  t.equal(await now(), 'c e');

  fs.renameSync(file(), file('.000002'));
  fs.writeFileSync(file('.000003.gz'), zipped('f\ng\n'));
  fs.writeFileSync(file('.000004'), 'h\nwithout its end');
  fs.writeFileSync(file(), 'i\n');
  t.equal(await now(), 'f g h without its end i', 'several at once, compressed or not');
  t.same(missed, []);
});

t.test('a file that was compressed before it was left', async (t) => {
  const file = logIn(t, { '': 'a\n', '.000001': '' });
  const { now, missed } = await readerOf(t, file, { past: { lines: 1, sinceMs: null } });
  t.equal(await now(), 'a');
  fs.appendFileSync(file(), 'b\n');
  fs.writeFileSync(file('.000001.gz'), zipped('a\nb\n'));
  fs.rmSync(file('.000001'));
  fs.rmSync(file());
  fs.writeFileSync(file('.000002'), 'c\n');
  fs.writeFileSync(file(), 'd\n');
  t.equal(await now(), 'b c d', 'it is not read a second time');
  t.same(missed, []);
});

t.test('a damaged rotated file does not hide the others', async (t) => {
  const file = logIn(t, {
    '': 'f\n',
    '.000003': 'e\n',
    '.000002.gz': zipped('c\nd\n').subarray(0, 15),
    '.000001.gz': zipped('a\nb\n'),
  });
  for (const [lines, seen, count] of [
    [2, 'e f', 0],
    [3, 'b e f', 1],
    [Infinity, 'a b e f', 1],
  ]) {
    const { now, missed } = await readerOf(t, file, { past: { lines, sinceMs: null } });
    t.equal(await now(), seen);
    const told = { file: file('.000002.gz'), reason: 'damaged' };
    t.same(missed, count === 0 ? [] : [told], 'it is told');
  }
});

t.test('a rotated file that cannot be read is not called damaged', async (t) => {
  for (const end of ['.000001', '.000001.gz']) {
    const file = logIn(t, { '': 'b\n' });
    fs.mkdirSync(file(end));
    const { now, missed } = await readerOf(t, file);
    t.equal(await now(), 'b');
    t.same(missed, [{ file: file(end), reason: 'EISDIR' }]);
  }
});

t.test('rotated files that were removed unread are counted', async (t) => {
  const file = logIn(t, { '': 'd\n', '.000003': 'c\n' });
  const { now, missed } = await readerOf(t, file, { past: { lines: 1, sinceMs: null } });
  t.equal(await now(), 'd');
  fs.renameSync(file(), file('.000004'));
  fs.writeFileSync(file('.000007'), 'e\n');
  fs.writeFileSync(file(), 'f\n');
  t.equal(await now(), 'e f');
  t.same(missed, [2]);
});

t.test('an emptied file is read from its beginning', async (t) => {
  const file = logIn(t, { '': 'a\nb\n', '.000009': 'old\n' });
  const { now, missed } = await readerOf(t, file, { past: { lines: 9, sinceMs: null } });
  t.equal(await now(), 'old a b');
  fs.rmSync(file('.000009'));
  fs.truncateSync(file());
  t.equal(await now(), '');
  fs.appendFileSync(file(), 'c\n');
  t.equal(await now(), 'c');
  fs.renameSync(file(), file('.000001'));
  fs.writeFileSync(file('.000002'), 'd\n');
  fs.writeFileSync(file(), 'e\n');
  t.equal(await now(), 'd e', 'numbers begin anew');
  t.same(missed, []);
});

t.test('a log that another program rotates, under its own names', async (t) => {
  const file = logIn(t, { '': 'a\n' });
  const { now } = await readerOf(t, file);
  t.equal(await now(), 'a');
  fs.renameSync(file(), file('.1'));
  fs.writeFileSync(file(), '');
  fs.appendFileSync(file('.1'), 'b\n');
  t.equal(await now(), 'b', 'the old one is written to until the logs are opened anew');
  fs.appendFileSync(file('.1'), 'c\n');
  fs.writeFileSync(file(), 'd\n');
  t.equal(await now(), 'c d');
});

t.test('lines around and beyond the size of a block, and one without end', async (t) => {
  const lengths = [300_000, 70_000, 1, 65_535, 65_536, 65_537, 0, 200_000, 3];
  const lines = lengths.map((length, index) => String(index).repeat(length));
  for (const end of ['\n', '']) {
    const file = logIn(t, { '': lines.join('\n') + end, '.000001.gz': zipped(`${lines[0]}\n`) });
    for (const count of [2, 9, Infinity]) {
      const past = { lines: count, sinceMs: null };
      const { now } = await readerOf(t, file, { past, follows: false });
      const expected = [lines[0], ...lines].slice(-count);
      t.ok((await now()) === expected.join(' '), `${count} lines`);
    }
  }
  const long = `begin${'x'.repeat(MAX_LINE)}end`;
  const file = logIn(t, { '': `a\n${long}\nb\n` });
  const { now } = await readerOf(t, file, { past: { lines: 2, sinceMs: null } });
  t.ok((await now()) === `${long.slice(0, MAX_LINE)} … 8 more bytes b`);
});

async function contentOf(file, offset) {
  const chunks = [];
  for await (const chunk of contentOfRotated(file, offset)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

t.test('a rotated file from an offset, also if it was compressed meanwhile', async (t) => {
  const file = logIn(t, { '.000001': 'hello', '.000002.gz': zipped('hello') });
  const listed = (end, isCompressed = false) => ({ path: file(end), number: 1, isCompressed });
  for (const one of [listed('.000001'), listed('.000002.gz', true), listed('.000002')]) {
    t.equal(await contentOf(one, 0), 'hello');
    t.equal(await contentOf(one, 3), 'lo');
    t.equal(await contentOf(one, 5), '');
  }
  await t.rejects(contentOf(listed('.000003'), 0), { code: 'ENOENT' });
});
