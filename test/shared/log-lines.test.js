import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { homePaths } from '../../src/shared/home.js';
import * as dates from '../../src/shared/log-files/date-format.js';
import { LineQueue } from '../../src/shared/log-files/line-queue.js';
import { makeLineFormat } from '../../src/shared/log-files/log-line.js';
import { logPaths } from '../../src/shared/log-files/log-paths.js';
import * as rotation from '../../src/shared/log-files/rotated-files.js';

const { describeDateFormatFault, ISO_8601, makeDateFormat } = dates;
const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const SOURCE = { app: 'api', worker: 3, stream: 'error' };
const style = (changes) =>
  makeLineFormat({ type: 'text', time: true, dateFormat: null, ...changes });

t.test('a line of text carries its time and its worker', async (t) => {
  const format = style({});
  const head = '2026-01-02T03:04:05.006Z api:3 |';
  const written = format.write(Buffer.from('one\n\ntwo\n'), SOURCE, AT);
  t.equal(`${written}`, `${head} one\n${head} \n${head} two\n`);
  t.equal(`${style({ time: false }).write(Buffer.from('one\n'), SOURCE, AT)}`, 'api:3 | one\n');
});

t.test('whatever bytes a program writes stay as they are', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => (index === 10 ? 13 : index)));
  const line = Buffer.concat([bytes, Buffer.from('$& $1 ä€𝄞\n')]);
  const written = style({ time: false, dateFormat: '[$&] YYYY' }).write(line, SOURCE, AT);
  t.same(written, Buffer.concat([Buffer.from('api:3 | '), line]));
  const raw = style({ type: 'raw' });
  t.same(raw.write(line, SOURCE, AT, true), line);
  t.match(raw.read('api:0 | x'), { app: null, worker: null, message: 'api:0 | x' });
});

t.test('every format reads what it has written', async (t) => {
  for (const [changes, knows] of [
    [{}, { time: AT, app: 'api', worker: 3 }],
    [{ time: false }, { app: 'api', worker: 3 }],
    [{ dateFormat: 'DD/MM/YYYY HH:mm:ss.SSS' }, { time: AT, app: 'api', worker: 3 }],
    [{ type: 'json' }, { time: AT, app: 'api', worker: 3, stream: 'error' }],
    [
      { type: 'json', dateFormat: 'YYYY-MM-DD HH:mm' },
      { time: AT - 5006, stamp: /:\d\d$/ },
    ],
  ]) {
    const format = style(changes);
    for (const message of ['said', '', ' |+ + | a:1 | ', '{"time":"now"}', 'ä\t"\\']) {
      for (const goesOn of [false, true]) {
        const lines = Buffer.from(`${message}\nnext\n`);
        const [first, second, rest] = `${format.write(lines, SOURCE, AT, goesOn)}`.split('\n');
        const name = JSON.stringify([changes, first]);
        t.match(format.read(first), { ...knows, message, goesOn }, name);
        t.match(format.read(second), { ...knows, message: 'next', goesOn: false });
        t.equal(rest, '');
      }
    }
  }
});

t.test("nodecluster's own lines belong to no worker", async (t) => {
  for (const type of ['text', 'json']) {
    const format = style({ type });
    const line = format.writeOwn('api', 'disk full', AT).toString().slice(0, -1);
    const read = { time: AT, app: 'api', worker: null, message: '[nodecluster] disk full' };
    t.match(format.read(line), read);
  }
  t.equal(style({ type: 'raw' }).writeOwn('api', 'so', AT).toString(), '[nodecluster] so\n');
});

t.test('what is not of the format is all message', async (t) => {
  const unknown = { time: null, app: null, worker: null, stream: null, goesOn: false };
  for (const line of ['', 'GET / 200', 'GET | x', 'a b:1 | c', '{"message":"x"}', '{"a', 'null']) {
    t.same(style({}).read(line), { ...unknown, message: line });
    t.same(style({ type: 'json' }).read(line), { ...unknown, message: line });
  }
});

t.test('JSON of another source is all message', async (t) => {
  const { read } = makeLineFormat({ type: 'json', time: true, dateFormat: null });
  const line = { time: null, app: 'api', worker: 0, stream: 'out', message: 'm' };
  t.match(read(JSON.stringify(line)), { app: 'api', worker: 0, message: 'm' });
  const odd = [{ app: '\u001b[2J' }, { worker: '\u001b[2J' }, { worker: 0.5 }, { stream: {} }];
  for (const each of odd) {
    const text = JSON.stringify({ ...line, ...each });
    t.match(read(text), { app: null, worker: null, stream: null, message: text });
  }
});

t.test('lines with and without time may stand in one file', async (t) => {
  const [line] = style({}).write(Buffer.from('x\n'), SOURCE, AT).toString().split('\n');
  t.match(style({ time: false }).read(line), { time: AT, message: 'x' });
  t.match(style({}).read('api:0 | x'), { time: null, app: 'api', message: 'x' });
});

t.test('lines of text and of JSON may stand in one file', async (t) => {
  for (const [was, is] of [
    ['text', 'json'],
    ['json', 'text'],
  ]) {
    const line = style({ type: was }).write(Buffer.from('said\n'), SOURCE, AT).toString();
    const read = style({ type: is }).read(line.trimEnd());
    t.match(read, { time: AT, app: 'api', worker: 3, message: 'said' }, `${was}, then ${is}`);
  }
});

const MOMENT = new Date(2026, 2, 9, 4, 5, 6, 78).getTime();

t.test('a format of tokens writes local time, and reads what it has written', async (t) => {
  for (const [format, text] of [
    ['YYYY-MM-DD HH:mm:ss.SSS', '2026-03-09 04:05:06.078'],
    ['[at] DD/MM/YYYY, HH:mm:ss.SSS', 'at 09/03/2026, 04:05:06.078'],
    ['YYYYMMDDTHHmmssSSS', '20260309T040506078'],
    ['($1) YYYY.MM.DD HH:mm:ss:SSS é', '($1) 2026.03.09 04:05:06:078 é'],
  ]) {
    const dates = makeDateFormat(format);
    t.equal(describeDateFormatFault(format), null, format);
    t.equal(dates.write(MOMENT), text);
    t.equal(dates.read(text), MOMENT);
    t.match(text, new RegExp(`^${dates.pattern}$`));
    t.equal(dates.read('yesterday'), null);
  }
});

t.test('with Z a time says which zone it means', async (t) => {
  const dates = makeDateFormat('YYYY-MM-DD HH:mm:ss.SSS Z');
  t.equal(dates.read(dates.write(MOMENT)), MOMENT);
  t.equal(dates.read('2026-03-09 04:05:06.078 +05:30'), Date.UTC(2026, 2, 8, 22, 35, 6, 78));
  t.equal(dates.read('2026-03-09 04:05:06.078 -03:00'), Date.UTC(2026, 2, 9, 7, 5, 6, 78));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  t.teardown(() => (process.env.TZ = zone));
  process.env.TZ = 'Asia/Kolkata';
  const inDelhi = makeDateFormat('YYYY-MM-DD HH:mm Z');
  t.equal(inDelhi.write(Date.UTC(2026, 2, 8, 22, 35)), '2026-03-09 04:05 +05:30');
});

t.test('a time without a day cannot be found again; the default is UTC', async (t) => {
  const dates = makeDateFormat('HH:mm');
  t.equal(dates.write(MOMENT), '04:05');
  t.equal(dates.read('04:05'), null);
  const ms = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  t.equal(ISO_8601.write(ms), '2026-01-02T03:04:05.006Z');
  t.equal(ISO_8601.read('2026-01-02T03:04:05.006Z'), ms);
  t.equal(ISO_8601.read('soon'), null);
});

t.test('a format that cannot be used is refused with its reason', async (t) => {
  for (const [format, reason] of [
    ['', /it contains none of/],
    ['hh:mm', /"hh" is not one of YYYY MM DD HH mm ss SSS Z/],
    ['D MMM YYYY', /"D" is not one/],
    ['YYYY-MM-DD HH:mm A', /"A" is not one/],
    ['--', /it contains none of/],
    ['YYYY\nMM', /control character/],
    ['Y'.repeat(65), /longer than 64/],
  ]) {
    t.match(describeDateFormatFault(format), reason, JSON.stringify(format));
  }
});

const paths = homePaths('/home/me/.nodecluster');
const LOGS = '/home/me/.nodecluster/logs';
const plain = { name: 'api', mergeLogs: true, outFile: null, errorFile: null, logFile: null };

t.test('where the streams of worker 2 go', async (t) => {
  for (const [settings, out, error] of [
    [{}, [`${LOGS}/api-out.log`], [`${LOGS}/api-error.log`]],
    [{ mergeLogs: false }, [`${LOGS}/api-2-out.log`], [`${LOGS}/api-2-error.log`]],
    [{ outFile: '/l/o.log' }, ['/l/o.log'], [`${LOGS}/api-error.log`]],
    [{ outFile: '/l/o.log', mergeLogs: false }, ['/l/o-2.log'], [`${LOGS}/api-2-error.log`]],
    [{ logFile: '/l/all' }, ['/l/all'], ['/l/all']],
    [{ logFile: '/l/all', mergeLogs: false }, ['/l/all-2'], ['/l/all-2']],
    [{ logFile: '/l/all', errorFile: '/l/e' }, ['/l/all'], ['/l/e', '/l/all']],
    [{ outFile: '/l/x', errorFile: '/l/x' }, ['/l/x'], ['/l/x']],
    [{ outFile: '/l/x', logFile: '/l/x' }, ['/l/x'], ['/l/x']],
    [{ outFile: '/dev/null', mergeLogs: false }, [], [`${LOGS}/api-2-error.log`]],
    [{ logFile: '/dev/null' }, [], []],
  ]) {
    t.same(logPaths({ ...plain, ...settings }, paths, 2), { out, error }, JSON.stringify(settings));
  }
});

t.test('what comes during a write waits too', async (t) => {
  const waiting = [];
  const queue = new LineQueue(100, async (waitingLines) => {
    const lines = waitingLines.shift();
    waiting.push(queue.waitingBytes);
    if (waiting.length === 1) queue.write(Buffer.alloc(60));
    return lines.length;
  });
  queue.write(Buffer.alloc(50));
  await queue.flushed();
  await queue.flushed();
  t.strictSame([...waiting, queue.waitingBytes], [50, 60, 0]);
});

const { resolveLinks, listRotated, removeUnfinished } = rotation;

t.test('the rotated files of one log, the oldest first', async (t) => {
  const log = path.join(t.testdir(), 'api-out.log');
  const named = '.000010 .000010.gz.tmp .000009.gz .000002 .000002.gz .000003.2026-11-28';
  const others = '.000003.2026-11-28.gz .000004.2026-11.gz .1000000 .1 .bak .000003.txt';
  for (const ending of ['', ...`${named} ${others}`.split(' ')]) {
    writeFileSync(`${log}${ending}`, '');
  }
  writeFileSync(path.join(path.dirname(log), 'xapi-out.log.000001'), '');
  t.same(await listRotated(log), [
    { path: `${log}.000002`, number: 2, isCompressed: false },
    { path: `${log}.000003.2026-11-28`, number: 3, isCompressed: false },
    { path: `${log}.000009.gz`, number: 9, isCompressed: true },
    { path: `${log}.000010`, number: 10, isCompressed: false },
    { path: `${log}.1000000`, number: 1_000_000, isCompressed: false },
  ]);
  const before = readdirSync(path.dirname(log));
  await removeUnfinished(log);
  const left = readdirSync(path.dirname(log));
  t.same(
    before.filter((name) => !left.includes(name)),
    ['api-out.log.000010.gz.tmp'],
  );
});

t.test('those of a symbolic link lie beside the file that it stands for', async (t) => {
  const folder = t.testdir({ disk: { 'api.log': '', 'api.log.000001': '' }, logs: {} });
  const [disk, link] = [path.join(folder, 'disk/api.log'), path.join(folder, 'logs/api.log')];
  symlinkSync('../logs/hop.log', link);
  symlinkSync('../disk/api.log', path.join(folder, 'logs/hop.log'));
  t.equal(await resolveLinks(link), disk);
  t.same(await listRotated(link), [{ path: `${disk}.000001`, number: 1, isCompressed: false }]);
  unlinkSync(disk);
  t.equal(await resolveLinks(link), disk, 'also while it is missing');
  symlinkSync('loop.log', path.join(folder, 'loop.log'));
  t.equal(path.dirname(await resolveLinks(path.join(folder, 'loop.log'))), folder);
});

t.test('without a folder there are none', async (t) => {
  t.same(await listRotated(path.join(t.testdir(), 'not', 'there.log')), []);
  mkdirSync(path.join(t.testdirName, 'empty'));
  t.same(await listRotated(path.join(t.testdirName, 'empty', 'a.log')), []);
});

t.test('a log in the working directory, as another user has it', async (t) => {
  const folder = t.testdir({ 'a.log': '', 'a.log.000001': '', 'a.log.000002.gz': '' });
  const file = new URL('../../src/shared/log-files/rotated-files.js', import.meta.url).href;
  const code =
    'import(process.argv[1]).then(async ({ listRotated }) => console.log(JSON.stringify(await listRotated("a.log"))))';
  const listed = execFileSync(process.execPath, ['-e', code, file], { cwd: folder });
  t.match(JSON.parse(listed), [
    { path: 'a.log.000001', number: 1, isCompressed: false },
    { path: 'a.log.000002.gz', number: 2, isCompressed: true },
  ]);
});
