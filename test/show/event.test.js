import t from 'tap';
import { eventText } from '../../src/show/event.js';
import { historyOf } from '../../src/show/history.js';
import { readable } from '../../src/show/log-record.js';
import { plain } from '../../src/show/paint.js';
import { renderProgress } from '../../src/show/progress.js';
import { exit, killedBy, said } from '../support/snapshot.js';

const killed = { workers: 1, afterMs: 5000, signal: 'SIGTERM' };
const api = { app: 'api', slot: 0 };
const rows = [
  [{ app: 'api', kind: 'online', slot: 1, pid: 4242 }, 'api:1 online pid 4242'],
  [
    { ...api, kind: 'stopped', reason: { kind: 'left', processes: ['sh x (pid 7)'] }, killed },
    'api:0 stopped: killed after kill_timeout (5s): it, or what it left, did not exit on SIGTERM; ended with it: sh x (pid 7)',
  ],
  [{ ...api, kind: 'failed', pid: 7, reason: said('no\u0007') }, 'api:0 failed: no\\x07'],
  [
    { ...api, kind: 'waiting', reason: { kind: 'turn', of: 'stop' } },
    'api:0 waiting until its stop is done',
  ],
  [{ app: 'job', kind: 'exited', slot: 0, reason: said('exited with 0') }, 'job:0 exited with 0'],
  [{ ...api, kind: 'failed', pid: 7, reason: exit(0) }, 'api:0 exited with code 0'],
  [{ ...api, kind: 'starting', pid: 7, reason: said('x') }, 'api:0 starting: pid 7, x'],
];

for (const [event, line] of rows) t.equal(renderProgress(event, plain), line, line);

const exited = { type: 'worker.exited', at: 1, app: 'api', slot: 1, pid: 7, durationMs: 98 };
const crash = { ...exited, code: 1, reason: exit(1), cause: 'no database' };

t.test('an exit, with its cause, and how many there were before', async (t) => {
  const plainly = 'exited with code 1 after 98ms';
  const once = exit(0, { final: 'autorestart' });
  const rows = [
    [crash, `${plainly}: no database`],
    [{ code: 1, reason: exit(1) }, plainly],
    [{ code: null, reason: killedBy('SIGSEGV') }, 'was killed by SIGSEGV after 98ms'],
    [{ code: 0, reason: { kind: 'late', what: 'listen' } }, 'exited after 98ms: did not listen'],
    [{ code: 0, reason: once }, 'exited with code 0 and autorestart is off after 98ms'],
  ];
  for (const [event, text] of rows) t.equal(eventText({ ...exited, ...event }), `api:1 ${text}`);
});

const by = { role: 'cli', user: 'alice' };
const starting = { ...api, type: 'worker.starting', pid: 7 };
const online = { ...starting, type: 'worker.online' };
const exitOf = (pid, slot = 0) => ({ ...crash, slot, pid });
const killedOf = (pid, slot = 0) => ({ ...exitOf(pid, slot), reason: killedBy('SIGKILL') });
const ended = { app: 'api', type: 'start.ended', by, ok: true, failed: [], durationMs: 1000 };
const begun = { app: 'api', type: 'start.begun', by };
const crashed = 'exited with code 1';

t.test('who changed what, at the end of a command', async (t) => {
  const change = { by, differences: [{ key: 'env.PORT', from: '1', to: '2' }], omitted: 0 };
  const event = { ...ended, type: 'reload.ended', change };
  t.equal(eventText(event), 'api reload done in 1.0s by alice: env.PORT "1" → "2"');
  const failed = { ...event, ok: false, failed: [{ reason: exit(1), cause: 'no db' }] };
  const why = 'exited with code 1: no db';
  t.equal(eventText(failed), `api reload failed by alice: ${why}; env.PORT "1" → "2"`);
});

/** What happened, a second apart, and what is told of it. */
const histories = [
  ['a start', [begun, starting, online, ended], ['online: pid 7', 'done in 1.0s by alice']],
  ['one that goes on', [begun, starting], ['api start begun', 'api:0 starting: pid 7']],
  [
    'a crash loop of two workers',
    [exitOf(7), { ...starting, pid: 8 }, exitOf(9, 1), { ...online, pid: 8 }, exitOf(8)],
    [`api:0, api:1 ${crashed}, 3 times until 12:00:04: no database`],
  ],
  [
    'another app between, and another cause',
    [exitOf(7), { ...online, app: 'web' }, exitOf(8), { ...exitOf(9), cause: 'x' }],
    [`${crashed}, 2 times until`, 'web:0 online: pid 7', 'after 98ms: x'],
  ],
  [
    'workers that somebody kills twice',
    [killedOf(7), killedOf(8, 1), { ...online, pid: 9 }, killedOf(9)],
    ['api:0, api:1 killed by SIGKILL, not', 'online: pid 9', 'SIGKILL after 98ms, not by'],
  ],
  [
    'a worker that served for long',
    [online, ...Array(60).fill({ type: 'missed', count: 1 }), exitOf(7)],
    ['online: pid 7', ...Array(60).fill('1 events'), 'exited'],
  ],
  [
    'a reload',
    [online, { ...online, pid: 8 }, { ...online, type: 'worker.stopped', pid: 7 }],
    ['online: pid 7', 'api:0 replaced: pid 7 → 8'],
  ],
  [
    'a reload that failed',
    [
      { ...begun, type: 'reload.begun' },
      exitOf(8, 1),
      exitOf(9),
      { ...ended, type: 'reload.ended', ok: false, failed: [{ ...exitOf(9) }] },
    ],
    [`api:1 ${crashed}`, `api reload failed by alice: ${crashed}: no database`],
  ],
  [
    'a command that no daemon ended',
    [begun, { type: 'daemon.started' }, begun, ended],
    ['start begun', 'daemon started', 'start done in 1.0s by alice'],
  ],
  [
    'many workers',
    [0, 1, 2, 3, 4].map((slot) => ({ ...online, slot, pid: slot + 1 })),
    ['api, 5 workers: online'],
  ],
];

for (const [what, events, expected] of histories) {
  t.test(`the history of ${what}`, async (t) => {
    const noon = new Date(2026, 10, 27, 12).getTime();
    const clock = t.intercept(Date, 'now', { value: () => noon });
    const happened = events.map((event, index) => ({ ...event, at: noon + index * 1000 }));
    const lines = historyOf(happened).map((event) => eventText(event));
    t.match(lines, expected);
    t.equal(lines.length, expected.length, lines.join('\n'));
    clock.restore();
  });
}

const AT = Date.UTC(2026, 10, 27, 12);
const ISO = new Date(AT).toISOString();
const of = { pid: 7, hostname: 'vm' };
const stack = 'TypeError: no\n    at a (/srv/a.js:1:1)';
const frame = '    at a (/srv/a.js:1:1)';

/** What, the record, the text of it (null: shown as it is), and its time. */
const records = [
  ['pino', { level: 30, time: AT, ...of, msg: 'hi', port: 80 }, 'INFO  hi port=80', AT],
  ['pino with a name', { level: 10, ...of, name: 'api', msg: 'hi' }, 'TRACE hi'],
  ['bunyan', { name: 'x', ...of, level: 40, msg: 'hm', time: ISO, v: 0 }, 'WARN  hm', AT],
  [
    'an error',
    { level: 50, err: { message: 'no', stack, code: 'E' }, msg: 'failed', id: 7 },
    `ERROR failed err.code=E id=7\nTypeError: no\n${frame}`,
  ],
  ['an error alone', { level: 60, err: { message: 'no', stack }, msg: 'no' }, `FATAL ${stack}`],
  ['an error that is text', { level: 50, msg: 'x', error: 'a b' }, 'ERROR x error="a b"'],
  ['Google Cloud', { severity: 'CRITICAL', message: 'no', time: ISO }, 'FATAL no', AT],
  ['seconds', { level: 'info', ts: AT / 1000, msg: 'x' }, 'INFO  x', AT],
  ['a time that is none', { level: 30, time: 1e300, msg: 'x' }, 'INFO  x', null],
  ['a level of its own', { level: 35, msg: 'x' }, 'x level=35'],
  ['no message', { level: 30, req: { id: 1 } }, 'INFO  req={"id":1}'],
  ['a message that is an object', { level: 30, msg: { a: 1 } }, 'INFO  msg={"a":1}'],
  ['a key of two lines', { msg: 'x', 'a\nb': 'c\nd' }, 'x "a\\nb"="c\\nd"'],
  ['a long value', { msg: 'x', a: ['b'.repeat(99)] }, `x a=["${'b'.repeat(77)}…`],
  ['a long string', { msg: 'x', a: 'b '.repeat(200), c: 1 }, `x a="${'b '.repeat(149)}b…" c=1`],
  ['no text', '{"msg":"x","level":{"toString":1}}', 'x level={"toString":1}'],
  ['nested deeply', `{"level":30,"msg":${'['.repeat(8e3)}${']'.repeat(8e3)}}`, null],
  ['JSON that is no record', { a: 1 }, null],
  ['a record that is truncated', '{"level":30,"msg":"x', null],
  ['text', 'hi', null],
];

for (const [what, record, message, time = null] of records) {
  t.test(what, async (t) => {
    const written = typeof record === 'string' ? record : JSON.stringify(record);
    const entry = { time: null, message: written };
    const shown = readable(entry);
    if (message === null) return t.equal(shown, entry);
    t.match(shown, { message, written, time }, 'as text');
    t.equal(readable({ time: 5, message: written }).time, 5, 'when it arrived says more');
  });
}
