import { appendFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { followLog, MergedLogs } from '../../../src/api/logs/merged-logs.js';
import { until } from '../../support/until.js';

const PLENTY = { lines: Infinity, sinceMs: null };

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
  const past = { lines: Infinity, sinceMs: 3 };
  const files = { 'api-out': 'a\nb\n', 'web-out': '1 c\n5 d\n' };
  const { logs, readAll, seen, notes, source } = await logsIn(t, files, { past });
  const timeless = { ...source('api-out'), isTimeless: true };
  await logs.open([timeless, source('web-out')]);
  await readAll();
  t.same(seen, ['d']);
  t.match(notes, [/api-out/]);
  const alone = await logsIn(t, files, { past });
  await t.rejects(alone.logs.open([timeless]), { code: 'E_LOG_TIMELESS', data: { app: 'api' } });
});

t.test('a log that cannot be read does not hide the others', async (t) => {
  const files = { 'api-out': '1 a\n', 'web-out': '2 b\n' };
  const { logs, readAll, seen, notes, source } = await logsIn(t, files);
  const unreadable = source('web-out/below-a-file');
  await logs.open([unreadable, source('api-out')]);
  await readAll();
  t.same(seen, ['a']);
  t.match(notes, [/Could not read the log file .*below-a-file \(ENOTDIR\)/]);

  await logs.update([unreadable]);
  await logs.update([source('api-out/late'), source('api-out')]);
  await logs.update([source('api-out/late'), source('api-out')]);
  t.equal(notes.length, 2, 'each is told once');

  const alone = await logsIn(t, files);
  await t.rejects(alone.logs.open([unreadable]), { code: 'E_LOG_UNREADABLE' });
});

t.test('of a file older than its app, only new lines are shown', async (t) => {
  const { logs, readAll, seen, source, file } = await logsIn(t, {
    'raw-out': 'old\n',
    'api-out': '5 old\n',
  });
  await logs.open([]);
  await logs.update([{ ...source('raw-out'), isTimeless: true }, source('api-out')]);
  await readAll();
  t.same(seen, []);
  t.ok(file('raw-out'));
});

t.test('in the order of time, as far as it is known', async (t) => {
  for (const [files, expected] of [
    [['1 a\n4 b\n5 c\n9 d\n', '2 e\n3 f\n6 g\n'], 'a e f b c g d'],
    // Of equal times, the first file first.
    [['1 a\n1 b\n', '1 c\n'], 'a b c'],
    // A line without time stays behind the one before it, and does not wait if it is the first.
    [['1 a\nb\nc\n5 d\n', '2 e\n3 f\n'], 'a b c e f d'],
    [['1 a\n2 b\n', 'c\nd\n'], 'c d a b'],
    [[], ''],
  ]) {
    const named = Object.fromEntries(files.map((text, index) => [`app${index}-out`, text]));
    const { logs, readAll, seen, source } = await logsIn(
      t,
      { none: '', ...named },
      { past: PLENTY },
    );
    await logs.open(Object.keys(named).map(source));
    await readAll();
    t.equal(seen.join(' '), expected);
  }
});

/** The end of one log, and what comes: `write` appends lines with these numbers. */
async function following(t, first = 0) {
  const file = path.join(t.testdir({ 'api-out.log': '' }), 'api-out.log');
  const start = Date.parse('2026-03-01T12:00:00.000Z');
  const lineOf = (number) => `${new Date(start + number).toISOString()} api:1 | ${number}\n`;
  const write = (from, count) =>
    appendFileSync(file, Array.from({ length: count }, (_, at) => lineOf(from + at)).join(''));
  write(0, first);
  const app = {
    name: 'api',
    slots: null,
    style: { type: 'text', time: true, dateFormat: null },
    files: [{ slot: null, out: [file], error: [] }],
  };
  const ending = new AbortController();
  const shown = [];
  const filter = { stream: null, grep: null };
  const options = { filter, pastLines: 100, warn: t.fail };
  const end = followLog([app], (entries) => shown.push(...entries), ending.signal, options);
  t.teardown(() => (ending.abort(), end));
  const last = () => Number(shown.at(-1)?.message ?? -1);
  const reaches = (number) => until(() => last() === number, `line ${number}`);
  await until(() => first === 0 || shown.length > 0, 'the first lines');
  return { shown, write, reaches };
}

t.test('the end of a log, and what comes, no line twice', async (t) => {
  const { shown, write, reaches } = await following(t, 5000);
  t.equal(shown.length, 100);
  t.match(shown.at(-1), { worker: 1, message: '4999', stream: 'out' });
  write(5000, 1050);
  await reaches(6049);
  write(6050, 1);
  await reaches(6050);
  t.equal(new Set(shown.map(({ message }) => message)).size, shown.length);
});

t.test('of what comes faster than anybody reads, the newest', async (t) => {
  const { shown, write, reaches } = await following(t);
  write(0, 200_000);
  await reaches(199_999);
  t.ok(shown.length < 10_000, `${shown.length} were looked at`);
});
