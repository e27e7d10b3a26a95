/** Which lines of a log a page asks for, and what level a line has. */
import t from 'tap';
import { levelOf, matches } from '../../../src/api/logs/log-source.js';
import { readLogRequest } from '../../../src/clients/web/logs.js';

t.test('the level that a line says', async (t) => {
  const rows = [
    ['listening on 3000', null],
    ['{"level":30,"msg":"hi"}', 'info'],
    ['{"time":1,"level":50,"msg":"no"}', 'error'],
    ['{"level":"warn","message":"hm"}', 'warn'],
    ['{"severity":"CRITICAL"}', 'fatal'],
    ['{"level":35}', null],
    ['{"msg":"error"}', null],
    ['error: no', 'error'],
    ['ERROR no', 'error'],
    ['[WARN] hm', 'warn'],
    ['2026-11-23T08:00:00.123Z info: hi', 'info'],
    ['2026-11-23 08:00:00 [debug] hi', 'debug'],
    ['\u001b[31merror\u001b[39m: no', 'error'],
    ['level=warn msg="hm"', 'warn'],
    ['ts=1 level=fatal msg=x', 'fatal'],
    ['Information for you', null],
    ['there was no error', null],
    ['errors: 0', null],
    ['', null],
  ];
  for (const [line, level] of rows) t.equal(levelOf(line), level, line);
});

t.test('from a level on', async (t) => {
  const rows = [
    [{ message: 'x', stream: 'out' }, null, true],
    [{ message: 'x', stream: 'out' }, 'trace', false],
    [{ message: 'x', stream: 'error' }, 'error', true],
    [{ message: 'x', stream: 'error' }, 'fatal', false],
    [{ message: 'warn: x', stream: 'out' }, 'info', true],
    [{ message: 'warn: x', stream: 'error' }, 'error', false],
  ];
  for (const [entry, least, shown] of rows)
    t.equal(matches({ grep: null, least }, entry), shown, `${entry.message} ${least}`);
});

t.test('a request for lines', async (t) => {
  const read = (query) => readLogRequest(new URLSearchParams(query));
  t.match(read(''), {
    selectors: ['all'],
    options: { filter: { stream: null, grep: null }, pastLines: 1000 },
  });
  t.same(read('target=api:1').selectors, ['api:1']);
  const { grep } = read('search=a.b(').options.filter;
  const found = ['xA.B(y', 'aXb('].map((text) => grep.test(text));
  t.same(found, [true, false], 'is no pattern');
  t.equal(read('level=warn').options.filter.least, 'warn');
  t.throws(() => read('level=loud'), { status: 400 });
});
