import { fileURLToPath } from 'node:url';
import t from 'tap';
import { PassThrough } from 'node:stream';
import { readFileSync } from 'node:fs';
import { causeOf } from '../../../src/lifecycle/cause.js';
import { AppLogs } from '../../../src/primary/log/app-logs.js';
import { LinePipe } from '../../../src/primary/log/line-pipe.js';
import { LastLines, quoteLines } from '../../../src/primary/log/worker-output.js';
import { homePaths } from '../../../src/shared/home.js';
import { specWith } from '../../support/spec.js';
import { until } from '../../support/until.js';

t.test('the last lines, without empty and truncated ones', async (t) => {
  const words = new LastLines();
  words.add(Buffer.from('one\n\n'));
  words.add(Buffer.from('two'));
  t.same(words.lines(), ['one', 'two']);
  words.add(Buffer.from(`${'x'.repeat(40_000)}\nlast\n`));
  t.same(words.lines(), ['last']);
  words.add(Buffer.from(`${'x'.repeat(5000)}\n`));
  t.same(words.lines(), ['last', 'x'.repeat(1000)]);
  for (let line = 0; line < 100; line++) words.add(Buffer.from(`${line}\n`));
  t.equal(words.lines().length, 20);
  t.equal(words.lines().at(-1), '99');
});

t.test('a long error: its head and its tail', async (t) => {
  const words = new LastLines();
  const properties = Array.from({ length: 40 }, (_, at) => `  field${at}: ${at},`);
  const frames = ['    at query (/srv/db.js:3:1)', '    at node:internal/x:1:1 {'];
  const error = ['error: relation "orders" does not exist', ...frames, ...properties, '}'];
  const written = [...Array(30).fill('GET /'), ...error, '', 'Node.js v22.1.0', ''];
  words.add(Buffer.from(written.join('\n')));
  const lines = words.lines();
  t.same(lines.slice(0, 2), [error[0], '    at query (/srv/db.js:3:1)']);
  t.match(lines, [...Array(12).fill(String), '… 25 lines', ...Array(7).fill(String)]);
  t.equal(lines.at(-1), '}');
  t.equal(lines.length, 20);
});

const frames = (frame, count = 40) => Array(count).fill(frame).join('\n');
const goroutine = `goroutine 1 [running]:\n${frames('main.f(0x3c?)\n\t/srv/main.go:3 +0x1f')}`;
const inGo = `panic: cannot start: no database\n\n${goroutine}\nmain.main()\n\t/srv/main.go:4 +0x78`;

const PANIC = 'panic: runtime error: index out of range [3]';
const ASLEEP = 'fatal error: all goroutines are asleep - deadlock!';
const inJava = frames('\tat J.f(J.java:1)');
const THREAD = 'Exception in thread "main" java.lang';
const PHP = 'PHP Fatal error:  Uncaught Exception: no database in /srv/a.php:3';
const RUBY = "a.rb:1:in 'f': no database (RuntimeError)";
const inPython = frames('  File "/srv/a.py", line 2, in f');
const BAD = 'ValueError: bad';
const GROUP = '  + Exception Group Traceback (most recent call last):';
const inGroup = frames('    |   File "/srv/a.py", line 2', 3);

/** @type {[what: string, lines: string[], cause: string | null][]} more lines than are kept */
const inOtherLanguages = [
  ['Go', [inGo], 'panic: cannot start: no database'],
  ['Go, below go run', [inGo, 'exit status 1'], 'panic: cannot start: no database'],
  ['Go, a signal', [PANIC, '[signal SIGSEGV]\n', goroutine], PANIC],
  ['Go, in a handler', [`${PANIC} [recovered]\n\tpanic: x\n`, goroutine], `${PANIC} [recovered]`],
  ['Go, several goroutines', [`${ASLEEP}\n`, goroutine, '', goroutine], ASLEEP],
  ['Go, log.Fatal', ['2026/11/29 10:00:00 listen: denied'], '2026/11/29 10:00:00 listen: denied'],
  ['Java, causes', [`${THREAD}.Error: no`, inJava, 'Caused by: x', inJava], 'java.lang.Error: no'],
  ['Java, no message', [`${THREAD}.StackOverflowError`, inJava], 'java.lang.StackOverflowError'],
  ['a stack whose head is lost', [frames('\tat J.f(J.java:1)', 4000)], null],
  ['Python, chained', [`Traceback:\n${inPython}\nKeyError: 'x'\n\nTraceback:`, inPython, BAD], BAD],
  [
    'Python, a group',
    [
      ...[
        GROUP,
        frames('  |   File "/srv/a.py", line 5'),
        '  | ExceptionGroup: errors in a TaskGroup',
      ],
      ...['  +-+---------------- 1 ----------------', '    | Traceback (most recent call last):'],
      ...[inGroup, '    | ValueError: bad config', '    +------------------------------------'],
    ],
    'ExceptionGroup: errors in a TaskGroup: ValueError: bad config',
  ],
  ['PHP', [PHP, 'Stack trace:', frames('#0 /srv/a.php(7): f()'), '  thrown in a.php'], PHP],
  ['Ruby', [RUBY, frames("\tfrom a.rb:1:in 'f'")], RUBY],
  ['.NET', ['Unhandled exception. System.Error: no', frames('   at P.F()')], 'System.Error: no'],
];

for (const [what, written, cause] of inOtherLanguages) {
  t.test(`the cause: ${what}`, async (t) => {
    const words = new LastLines();
    words.add(Buffer.from(`starting\n`.repeat(30)));
    words.add(Buffer.from(`${written.join('\n')}\n`));
    const lines = words.lines();
    t.equal(causeOf(lines.filter((line) => line !== 'starting')), cause);
    t.ok(lines.length <= 20);
  });
}

t.test('records of JSON, as pino writes them', async (t) => {
  const words = new LastLines();
  const stack = 'TypeError: no rates\n    at pick (/srv/app.js:2:25)\n    at node:internal/x:1:1';
  words.add(Buffer.from('a\nb\n'));
  const records = [
    { level: 30, msg: 'request completed' },
    { level: 60, err: { type: 'TypeError', message: 'no rates', stack }, msg: 'no rates' },
  ];
  for (const record of records) words.add(Buffer.from(`${JSON.stringify(record)}\n`));
  const last = ['request completed', 'TypeError: no rates', '    at pick (/srv/app.js:2:25)'];
  t.same(words.lines(3), ['b', ...last], 'a record counts as a line');
});

const agent = fileURLToPath(new URL('../../../src/agent/', import.meta.url));

/** What Node 20, 22 and 24 print, without empty lines; what is not quoted begins with `-`. */
const rows = {
  'a throw at load': `
/srv/app.js:2
function boot() { throw new Error('no database'); }
                  ^
Error: no database
    at boot (/srv/app.js:2:25)
    at Object.<anonymous> (/srv/app.js:3:1)
-    at Module._compile (node:internal/modules/cjs/loader:1521:14)
-    at node:internal/main/run_main_module:28:49
-Node.js v20.20.2`,
  'a throw at load of an ES module': `
file:///srv/app.mjs:2
function boot() { throw new Error('no database'); }
                        ^
Error: no database
    at boot (file:///srv/app.mjs:2:25)
    at file:///srv/app.mjs:3:1
-    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)
-    at async node:internal/modules/esm/loader:647:26
-    at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:101:5)`,
  'a syntax error': `
/srv/app.js:2
function ( {
^^^^^^^^
SyntaxError: Function statements require a function name
-    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
-    at Module._compile (node:internal/modules/cjs/loader:1495:20)`,
  'frames of Node before the program': `
node:fs:573
  return binding.open(
                 ^
Error: ENOENT: no such file or directory, open '/srv/config.json'
-    at Object.openSync (node:fs:573:18)
-    at JSON.parse (<anonymous>)
    at Object.<anonymous> (/srv/app.js:1:15)`,
  'an error that nobody listens to': `
Error: bind EADDRINUSE 0.0.0.0:53
-Emitted 'error' event on Socket instance at:
-    at process.processTicksAndRejections (node:internal/process/task_queues:83:21) {`,
  'several lines of stderr before': `
connecting
  ^
node: bad option
/srv/a.js:1
x
^
ReferenceError: x`,
  'long lines that only look like frames do not block the primary': `
${frames(`    at ${'x ('.repeat(600)}${'1'.repeat(2000)}\r`, 10)}`,
  'a frame in a dependency': `
Error: x
    at f (/srv/node_modules/a/b.js:605:24)
    at app.js:3:1`,
};

for (const [name, written] of Object.entries(rows)) {
  const lines = written.slice(1).split('\n');
  const quoted = lines.filter((line) => !line.startsWith('-'));
  t.same(quoteLines(lines.map((line) => line.replace(/^-/, ''))), quoted, name);
}

t.test(
  'an error with properties keeps its brace, and frames of the agent are left out',
  async (t) => {
    const properties = ["  code: 'ERR_SOCKET_BAD_PORT'", '}'];
    const lines = [
      `${agent}listening.cjs:22`,
      '      throw error;',
      '      ^',
      'RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536.',
      '    at Server.listen (node:net:2059:5)',
      `    at Server.listen (${agent}listening.cjs:22:20)`,
      '    at Object.<anonymous> (/srv/app.js:1:32)',
      '    at node:internal/main/run_main_module:28:49 {',
      ...properties,
    ];
    t.same(quoteLines(lines), [...lines.slice(1, 4), ...lines.slice(6)]);
  },
);

const MAX_LINE = 256 * 1024;

function piped(hasRoom = () => true) {
  const sink = {
    ...{ chunks: [], goesOn: [], resume: [] },
    write: (chunk, goesOn) => {
      sink.chunks.push(String(chunk));
      sink.goesOn.push(goesOn);
      return hasRoom();
    },
    drained: () => new Promise((resolve) => sink.resume.push(resolve)),
  };
  const stream = new PassThrough();
  return { sink, stream, ended: new LinePipe(stream, sink).ended };
}

t.test('only whole lines are passed on, however they are split', async (t) => {
  const { sink, stream, ended } = piped();
  for (const piece of ['on', 'e\ntwo\nth', 'ree', '\nfour']) stream.write(piece);
  stream.end();
  await ended;
  t.same(sink.chunks, ['one\ntwo\n', 'three\n', 'four\n'], 'the last one gets its newline');
  t.notOk(sink.goesOn.includes(true));
});

t.test('a line that is too long is split between two characters', async (t) => {
  const { sink, stream, ended } = piped();
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
  const { sink, stream, ended } = piped(() => room);
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
  const { sink, stream, ended } = piped();
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
  const written = [];
  const write = (lines) => written.push(lines) > 0;
  const stream = new PassThrough();
  const { ended } = new LinePipe(stream, { write, drained: async () => {} });
  stream.write(Buffer.of(0xe9));
  await until(() => written.length === 1, 'the byte');
  t.same(written, [Buffer.of(0xe9, 0x0a)]);
  stream.end();
  await ended;
});

t.test('a line whose rest waits in a paused stream stays whole', async (t) => {
  const { sink, stream, ended } = piped(() => false);
  stream.write('one\ntw');
  await until(() => stream.isPaused(), 'the pause');
  stream.end('o\n');
  const other = piped();
  other.stream.write('unfinished');
  await until(() => other.sink.chunks.length === 1, 'the time after which lines are split');
  for (const resume of sink.resume) resume();
  await ended;
  t.same(sink.chunks, ['one\n', 'two\n']);
});

function logged(t, settings) {
  const paths = homePaths(t.testdir());
  const logs = new AppLogs(specWith({ name: 'app', time: false, ...settings }), paths);
  const stream = new PassThrough();
  logs.follow(stream, { slot: 0, name: 'out' });
  return { logs, stream, read: () => readFileSync(paths.logFile('app', 'out'), 'utf8') };
}

t.test('an unfinished line is logged, though a child holds its stream open', async (t) => {
  const { logs, stream, read } = logged(t);
  stream.write('whole\nbegun');
  await logs.end();
  t.equal(read(), 'app:0 | whole\napp:0 | begun\n');
});

t.test('a child that never stops writing does not delay the end forever', async (t) => {
  const { logs, stream, read } = logged(t);
  const timer = setInterval(() => stream.write('on and on\n'), 20);
  t.teardown(() => clearInterval(timer));
  await logs.end();
  clearInterval(timer);
  t.match(read(), /^(app:0 \| on and on\n)+$/);
});
