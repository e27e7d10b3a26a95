import t from 'tap';
import { paintLevel, readable } from '../../src/show/log-record.js';

const AT = Date.UTC(2026, 10, 27, 12);
const ISO = new Date(AT).toISOString();
const of = { pid: 7, hostname: 'vm' };
const stack = 'TypeError: no\n    at a (/srv/a.js:1:1)';
const frame = '    at a (/srv/a.js:1:1)';

/** What, the record, the text of it (null: shown as it is), and its time. */
const rows = [
  ['pino', { level: 30, time: AT, ...of, msg: 'hi', port: 80 }, 'INFO  hi port=80', AT],
  ['pino with a name', { level: 10, ...of, name: 'api', msg: 'hi' }, 'TRACE hi'],
  ['bunyan', { name: 'x', ...of, level: 40, msg: 'hm', time: ISO, v: 0 }, 'WARN  hm', AT],
  [
    'an error',
    {
      level: 50,
      err: { type: 'TypeError', message: 'no', stack, code: 'E' },
      msg: 'failed',
      id: 7,
    },
    `ERROR failed err.code=E id=7\nTypeError: no\n${frame}`,
  ],
  ['an error alone', { level: 60, err: { message: 'no', stack }, msg: 'no' }, `FATAL ${stack}`],
  ['an error that is text', { level: 50, msg: 'x', error: 'a b' }, 'ERROR x error="a b"'],
  [
    'ECS',
    { 'log.level': 'warn', '@timestamp': ISO, 'ecs.version': '8', message: 'hm', a: [1] },
    'WARN  hm a=[1]',
    AT,
  ],
  [
    'ECS, nested',
    { log: { level: 'info' }, message: 'x', error: { message: 'no', stack_trace: stack } },
    `INFO  x\n${stack}`,
  ],
  ['Google Cloud', { severity: 'CRITICAL', message: 'no', time: ISO }, 'FATAL no', AT],
  ['seconds', { level: 'info', ts: AT / 1000, msg: 'x' }, 'INFO  x', AT],
  ['a time that is none', { level: 30, time: 1e300, msg: 'x' }, 'INFO  x', null],
  ['a level of its own', { level: 35, msg: 'x' }, 'x level=35'],
  ['no message', { level: 30, req: { id: 1 } }, 'INFO  req={"id":1}'],
  ['a message that is an object', { level: 30, msg: { a: 1 } }, 'INFO  msg={"a":1}'],
  ['a key of two lines', { msg: 'x', 'a\nb': 'c\nd' }, 'x "a\\nb"="c\\nd"'],
  ['a long value', { msg: 'x', a: ['b'.repeat(99)] }, `x a=["${'b'.repeat(78)}…`],
  ['a long string', { msg: 'x', a: 'b '.repeat(200), c: 1 }, `x a="${'b '.repeat(150)}…" c=1`],
  ['no text', '{"msg":"x","level":{"toString":1}}', 'x level={"toString":1}'],
  ['nested deeply', `{"level":30,"msg":${'['.repeat(8e3)}${']'.repeat(8e3)}}`, null],
  ['JSON that is no record', { a: 1 }, null],
  ['a record that is truncated', '{"level":30,"msg":"x', null],
  ['text', 'hi', null],
];

for (const [what, record, message, time = null] of rows) {
  t.test(what, async (t) => {
    const written = typeof record === 'string' ? record : JSON.stringify(record);
    const entry = { time: null, message: written };
    const shown = readable(entry);
    if (message === null) return t.equal(shown, entry);
    t.match(shown, { message, written, time }, 'as text');
    t.equal(readable({ time: 5, message: written }).time, 5, 'when it arrived says more');
  });
}

t.test('colours', async (t) => {
  const paint = { red: (text) => `red ${text}`, yellow: (text) => `yellow ${text}` };
  const rows = { info: 'x', warn: 'yellow x', error: 'red x', fatal: 'red x', other: 'x' };
  for (const [level, painted] of Object.entries(rows)) {
    t.equal(paintLevel(level, paint, 'x'), painted);
  }
});
