/** Several logs as one. */
import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { MergedLogs, isQuiet, oneRound } from '../../../src/api/logs/merged-logs.js';
import { until, within } from '../../support/until.js';

async function logsIn(t, files, options = {}) {
  const folder = t.testdir(files);
  // What is there before must be older than the beginning by its times too.
  const births = readdirSync(folder).map((name) => statSync(path.join(folder, name)).birthtimeMs);
  await until(() => Date.now() > Math.max(...births) + 1, 'the clock to advance');
  const seen = [];
  const notes = [];
  const logs = new MergedLogs({
    past: { lines: 3, sinceMs: null },
    follows: false,
    warn: ({ message }) => notes.push(message),
    ...options,
  });
  const readAll = async () => {
    for await (const batch of logs.batches()) seen.push(...batch.map(({ message }) => message));
  };
  /** `owner/name`: a file of that app. Lines are `<time> <message>`. */
  const source = (name) => ({
    path: path.join(folder, name),
    owner: name.split('-')[0],
    read(line) {
      const [, time = null, message] = /^(?:(\d+) )?(.*)$/.exec(line);
      return { time: time && Number(time), message };
    },
    accepts: () => true,
  });
  t.teardown(() => logs.close());
  return { logs, readAll, seen, notes, source, file: (name) => path.join(folder, name) };
}

t.test('past lines are counted in each file: a busy one does not hide the others', async (t) => {
  const { logs, readAll, seen, source } = await logsIn(t, {
    'api-out': '1 a\n2 b\n5 e\n7 g\n',
    'api-error': '3 c\n4 d\n',
    'web-out': '6 f\n',
  });
  await logs.open(['api-out', 'api-error', 'web-out'].map(source));
  await readAll();
  t.same(seen, ['b', 'c', 'd', 'e', 'f', 'g']);
});

t.test('--since, with a log that has no times', async (t) => {
  const { logs, readAll, seen, notes, source } = await logsIn(
    t,
    { 'api-out': 'a\nb\n', 'web-out': '1 c\n5 d\n' },
    { past: { lines: Infinity, sinceMs: 3 } },
  );
  await logs.open(['api-out', 'web-out'].map(source));
  await readAll();
  t.same(seen, ['d']);
  t.match(notes, [/api-out/]);
});

t.test(
  'a late log without times, which cannot be read any more when it is opened again',
  async (t) => {
    const files = { 'api-out': '1 a\n', 'web-out': 'b\n' };
    const { logs, notes, source } = await logsIn(t, files, { past: { lines: 3, sinceMs: 1 } });
    await logs.open([source('api-out')]);
    let opened = 0;
    const late = source('web-out');
    const { path: timeless } = late;
    const withdrawn = {
      ...late,
      get path() {
        return opened ? `${timeless}/gone` : timeless;
      },
      read(line) {
        opened += 1;
        return late.read(line);
      },
    };
    await logs.update([withdrawn]);
    t.match(notes, [/Could not read the log file/]);
  },
);

t.test('a log that cannot be read does not hide the others', async (t) => {
  const files = { 'api-out': '1 a\n', 'web-out': '2 b\n' };
  const { logs, readAll, seen, notes, source } = await logsIn(t, files);
  const unreadable = source('web-out/below-a-file');
  await logs.open([unreadable, source('api-out')]);
  await readAll();
  t.same(seen, ['a']);
  t.match(notes, [/Could not read the log file .*below-a-file \(ENOTDIR\)/]);

  const alone = await logsIn(t, files);
  await t.rejects(alone.logs.open([unreadable]), { code: 'E_LOG_UNREADABLE' });
});

t.test('it follows, also files that appear later, until it is stopped', async (t) => {
  const stop = new AbortController();
  const { logs, readAll, seen, source, file } = await logsIn(
    t,
    { 'api-out': '1 old\n' },
    { follows: true, past: { lines: 0, sinceMs: null }, signal: stop.signal },
  );
  await logs.open([source('api-out')]);
  t.ok(logs.isEmpty);
  const read = readAll();
  appendFileSync(file('api-out'), '2 new\n');
  await until(() => seen.includes('new'), 'the first line');
  writeFileSync(file('web-out'), '3 all of it\n');
  await logs.update([source('api-out'), source('web-out')]);
  await until(() => seen.includes('all of it'), 'the line of the new file');
  await logs.update([source('web-out')]);
  appendFileSync(file('web-out'), '4 end\n');
  await until(() => seen.includes('end'), 'the last line');
  stop.abort();
  await within(read, 'the end');
});

t.test('of a file older than its app, only new lines are shown', async (t) => {
  const { logs, readAll, seen, source, file } = await logsIn(t, {
    'raw-out': 'old\n',
    'api-out': '5 old\n',
  });
  await logs.open([]);
  await logs.update([source('raw-out'), source('api-out')]);
  await readAll();
  t.same(seen, []);
  t.ok(file('raw-out'));
});

/** A reader that has these batches: each entry a time, or null. */
function readerWith(name, batches) {
  let entries = [];
  let last = -Infinity;
  return {
    isAtEnd: false,
    get nextTime() {
      return entries.length ? (entries[0] ?? last) : null;
    },
    take() {
      const time = entries.shift();
      last = time ?? last;
      return { message: `${name}${time ?? '-'}` };
    },
    async fill() {
      entries = batches.shift() ?? [];
      this.isAtEnd = entries.length === 0;
      return entries.length > 0;
    },
  };
}

async function round(...readers) {
  const messages = [];
  for await (const { message } of oneRound(readers)) messages.push(message);
  return messages.join(' ');
}

t.test('in the order of time, across batches', async (t) => {
  const a = readerWith('a', [
    [1, 4],
    [5, 9],
  ]);
  const b = readerWith('b', [[2, 3, 6]]);
  t.equal(await round(a, b), 'a1 b2 b3 a4 a5 b6 a9');
  t.ok(isQuiet([a, b]));
});

t.test('of equal times, the first reader first', async (t) => {
  t.equal(await round(readerWith('a', [[1, 1]]), readerWith('b', [[1]])), 'a1 a1 b1');
});

t.test('a line without time stays behind the one before it', async (t) => {
  const a = readerWith('a', [[1, null, null, 5]]);
  t.equal(await round(a, readerWith('b', [[2, 3]])), 'a1 a- a- b2 b3 a5');
});

t.test('lines without any time do not wait', async (t) => {
  const a = readerWith('a', [[1, 2]]);
  t.equal(await round(a, readerWith('b', [[null, null]])), 'b- b- a1 a2');
});

t.test('an endless log leaves the others a turn', async (t) => {
  const endless = readerWith('a', []);
  endless.fill = async () => true;
  Object.defineProperty(endless, 'nextTime', { value: 1 });
  endless.take = () => ({ message: 'a' });
  const late = readerWith('b', [[], [0]]);
  await round(endless, late);
  t.match(await round(endless, late), /^b0 a/);
  t.notOk(isQuiet([endless, late]));
});

t.test('nothing', async (t) => {
  t.equal(await round(), '');
  t.ok(isQuiet([]));
});
