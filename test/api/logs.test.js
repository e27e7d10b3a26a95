import t from 'tap';
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesToRead, sourcesOf } from '../../src/api/logs/log-source.js';
import { MergedLogs, followLog } from '../../src/api/logs/merged-logs.js';
import { NodeclusterError } from '../../src/errors/error.js';
import { until } from '../support/until.js';

const style = { type: 'text', time: true, dateFormat: null };
const app = (more = {}) => ({
  name: 'api',
  slots: null,
  style,
  files: [{ slot: null, out: ['/l/out'], error: ['/l/err'] }],
  ...more,
});
const all = { stream: null, grep: null };
const TIME = '2026-03-01T12:00:00.000Z';

t.test('no line is read twice', async (t) => {
  for (const [out, error, wanted, files] of [
    [['/o'], ['/e'], null, ['/o out', '/e error']],
    [['/o'], ['/e'], 'error', ['/e error']],
    [['/o'], ['/e'], 'out', ['/o out']],
    [['/all'], ['/all'], null, ['/all null']],
    [['/all'], ['/all'], 'out', ['/all null']],
    [['/all'], ['/e', '/all'], null, ['/all null']],
    [['/all'], ['/e', '/all'], 'error', ['/e error']],
    [['/o', '/all'], ['/e', '/all'], null, ['/o out', '/e error']],
    [[], ['/e'], null, ['/e error']],
    [[], [], null, []],
    [[], ['/e'], 'out', []],
  ]) {
    const found = filesToRead({ out, error }, wanted);
    const named = found.map(({ path, stream }) => `${path} ${stream}`);
    t.same(named, files, `${out} | ${error} | ${wanted}`);
  }
});

t.test('what a line says, completed by what its file says', async (t) => {
  const [out, error] = sourcesOf([app()], all);
  const line = { time: Date.parse(TIME), app: 'api', worker: 2, stream: 'out', message: 'hello' };
  t.match(out.read(`${TIME} api:2 | hello`), line);
  t.match(error.read('not our format'), { app: 'api', worker: null, stream: 'error', time: null });
  const files = [{ slot: 3, out: ['/o'], error: [] }];
  const raw = app({ style: { ...style, type: 'raw' }, files });
  t.match(sourcesOf([raw], all)[0].read('x'), { app: 'api', worker: 3, message: 'x' });
});

t.test('which lines are accepted', async (t) => {
  const [source] = sourcesOf([app({ slots: [1] })], { stream: 'out', grep: /boom$/i });
  const accepts = (line) => source.accepts(source.read(line));
  t.ok(accepts(`${TIME} api:1 | big BOOM`));
  t.notOk(accepts(`${TIME} api:2 | big boom`), 'another worker');
  t.notOk(accepts(`${TIME} api:1 | boom or not`), 'no match');
  t.notOk(accepts(`${TIME} other:1 | boom`), 'another app in the same file');
  t.ok(accepts(`${TIME} api:1 | \u001b[31mbo\u001b[0mom`), 'colours are ignored');
  t.ok(accepts('boom'), 'its worker is unknown');
});

t.test('a file whose lines name their stream', async (t) => {
  const files = [{ slot: null, out: ['/all'], error: ['/all'] }];
  const json = app({ style: { ...style, type: 'json' }, files });
  const [source] = sourcesOf([json], { stream: 'error', grep: null });
  const line = (stream) =>
    JSON.stringify({ time: TIME, app: 'api', worker: 0, stream, message: '' });
  t.ok(source.accepts(source.read(line('error'))));
  t.notOk(source.accepts(source.read(line('out'))));
});

t.test('apps that share a file', async (t) => {
  const other = app({ name: 'web', slots: [0] });
  const sources = sourcesOf([app(), other], all);
  t.equal(sources.length, 2);
  const accepts = (line) => sources[0].accepts(sources[0].read(line));
  t.ok(accepts(`${TIME} api:4 | x`));
  t.ok(accepts(`${TIME} web:0 | x`));
  t.notOk(accepts(`${TIME} web:1 | x`));
  const both = { slot: null, out: ['/l/out'], error: ['/l/out'] };
  for (const apps of [
    [app(), app({ name: 'web', files: [both] })],
    [app({ name: 'web', files: [both] }), app()],
  ]) {
    const [{ read }] = sourcesOf(apps, all);
    t.equal(read(`${TIME} api:0 | x`).stream, 'out');
    t.equal(read(`${TIME} web:0 | x`).stream, null, 'unknown for that app');
  }
});

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
  return { logs, readAll, seen, notes, source };
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
  t.match(notes, [/Could not open the log file .*below-a-file \(ENOTDIR\)/]);

  await logs.update([unreadable]);
  await logs.update([source('api-out/late'), source('api-out')]);
  await logs.update([source('api-out/late'), source('api-out')]);
  t.equal(notes.length, 2, 'each is told once');

  const alone = await logsIn(t, files);
  await t.rejects(alone.logs.open([unreadable]), { code: 'E_LOG_FILE' });
});

t.test('a deleted app is told of once; when a log fails, nobody asks any more', async (t) => {
  let look;
  const onTimer = (callback) => ((look = callback), { unref() {} });
  t.intercept(globalThis, 'setTimeout', { value: onTimer });
  const { logs, notes, source } = await logsIn(t, { 'api-out': '1 a\n' });
  const data = { selector: 'api', known: [], method: 'log-files' };
  let asked = 0;
  let code = null;
  const fetchSources = async () => {
    asked += 1;
    if (code) throw new NodeclusterError(code, data);
    return [];
  };
  const [lost, unknown] = ['E_PROTOCOL_CLOSED', 'E_APP_UNKNOWN'];
  logs.keepUpdated(fetchSources);
  for (code of [lost, unknown, unknown, lost, unknown, null, unknown]) await look();
  t.match(notes, [/There is no app .*api/, /There is no app .*api/]);
  t.equal(notes.length, 2);
  const read = () => {
    throw new Error('not a line');
  };
  const unread = logs.open([{ ...source('api-out'), read }]);
  await t.rejects(unread, { message: /not a line/ });
  await look();
  t.equal(asked, 7);
});

t.test('of a file older than its app, only new lines are shown', async (t) => {
  const files = { 'raw-out': 'old\n', 'api-out': '5 old\n' };
  const { logs, readAll, seen, source } = await logsIn(t, files);
  await logs.open([]);
  await logs.update([{ ...source('raw-out'), isTimeless: true }, source('api-out')]);
  await readAll();
  t.same(seen, []);
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
    const all = { none: '', ...named };
    const { logs, readAll, seen, source } = await logsIn(t, all, { past: PLENTY });
    await logs.open(Object.keys(named).map(source));
    await readAll();
    t.equal(seen.join(' '), expected);
  }
});

/** The end of one log, and what comes: `write` appends lines with these numbers. */
async function following(t, first = 0) {
  const file = path.join(t.testdir({ 'api-out.log': '' }), 'api-out.log');
  const start = Date.parse(TIME);
  const lineOf = (number) => `${new Date(start + number).toISOString()} api:1 | ${number}\n`;
  const write = (from, count) =>
    appendFileSync(file, Array.from({ length: count }, (_, at) => lineOf(from + at)).join(''));
  write(0, first);
  const apps = [app({ files: [{ slot: null, out: [file], error: [] }] })];
  const ending = new AbortController();
  const shown = [];
  const show = (entries) => shown.push(...entries);
  const options = { filter: all, pastLines: 100, warn: t.fail };
  const end = followLog(async () => apps, show, ending.signal, options);
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
