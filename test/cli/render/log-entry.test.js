import t from 'tap';
import { withoutColours } from '../../../src/shared/colours.js';
import * as render from '../../../src/cli/render/log-entry.js';
import { readDaemonLine } from '../../../src/shared/log-files/daemon-line.js';

const pipe = { width: null, colours: false, isTerminal: false };
const terminal = { width: 80, colours: true, isTerminal: true };
const plainTerminal = { ...terminal, colours: false };
const TIME = '2026-03-01T12:00:00.000Z';
const entry = (more = {}) => ({
  ...{ time: Date.parse(TIME), app: 'api', worker: 1, stream: 'out', goesOn: false },
  ...{ message: 'hello', ...more },
});

function rendered(to, entries, { timestamp = false, expect = [] } = {}) {
  const renderer = render.logRenderer(to, timestamp);
  renderer.expect(expect);
  return entries.map((each) => renderer.render(entry(each)));
}

t.test('app and worker, stdout and stderr, the time where it is known', async (t) => {
  const lines = [{}, { stream: 'error' }, { goesOn: true }, { worker: null, stream: null }];
  const shown = ['api:1 | hello', 'api:1 ! hello', 'api:1 + hello', 'api   | hello'];
  t.same(rendered(pipe, lines), shown);
  const timed = rendered(pipe, [{}, { time: null }], { timestamp: true });
  t.same(timed, [`${TIME} api:1 | hello`, '- api:1 | hello']);
  const own = rendered(plainTerminal, [{ stamp: '12:00 Z' }]);
  t.same(own, ['12:00 Z api:1 | hello'], 'as its log_date_format says');
});

t.test('in one column, as far as it is known who is going to write', async (t) => {
  const expect = [
    { name: 'api', slots: null, workers: [0, 11] },
    { name: 'w', slots: [], workers: [1] },
  ];
  const shown = rendered(pipe, [{}, { app: 'w', worker: 0 }], { expect });
  t.same(shown, ['api:1  | hello', 'w:0    | hello']);
});

t.test('a terminal shows the local time, and the date if it was another day', async (t) => {
  const now = new Date();
  now.setHours(22, 1, 7);
  const times = [{}, { time: now.getTime() }, { time: null }];
  const [old, recent, unknown] = rendered(plainTerminal, times);
  t.match(old, /^2026-03-01 \d\d:00:00 api:1 \| hello$/);
  t.equal(recent, '22:01:07 api:1 | hello');
  t.equal(unknown, 'api:1 | hello');
});

t.test('colours: one for each app, red for stderr', async (t) => {
  const lines = [{}, { app: 'web' }, { worker: 2 }, { stream: 'error' }];
  const timeless = lines.map((line) => ({ ...line, time: null }));
  const [one, other, again, error] = rendered(terminal, timeless);
  const colourOf = (line) => line.slice(0, line.indexOf('m') + 1);
  t.not(colourOf(one), colourOf(other));
  t.equal(colourOf(one), colourOf(again));
  t.match(error, '\u001b[31m!');
});

t.test('a record has the colour of its level on each of its lines', async (t) => {
  const record = { level: 'error', message: 'ERROR a\nb', time: null };
  const [shown] = rendered(terminal, [record]);
  const found = shown.split('\n').map((line) => line.slice(line.indexOf('\u001b[31m')));
  t.same(found, ['\u001b[31mERROR a\u001b[39m', '\u001b[31mb\u001b[39m']);
  t.same(rendered(plainTerminal, [record]), ['api:1 | ERROR a\napi:1 | b']);
});

t.test('long lines continue below their text, and what has no blank is left whole', async (t) => {
  const url = `https://example.com/${'a'.repeat(80)}`;
  const message = `    at ${'word '.repeat(15)}\nsee ${url}`;
  for (const to of [plainTerminal, terminal]) {
    const [line] = rendered(to, [{ message, time: null, level: 'error' }]).map(withoutColours);
    t.same(line.split('\n'), [
      `api:1 |     at${' word'.repeat(13)}`,
      `            word word`,
      'api:1 | see',
      `        ${url}`,
    ]);
  }
  t.equal(rendered(pipe, [{ message: 'word '.repeat(30) }])[0], `api:1 | ${'word '.repeat(30)}`);
});

t.test('what a terminal gets', async (t) => {
  const message = '\u001b[31mred\u001b[2J\u001b]0;title\u0007 a\tb \u202e\r';
  const shown = '\\x1b[2J\\x1b]0;title\\x07 a\tb \\u202e';
  t.match(rendered(plainTerminal, [{ message }]), [`api:1 | red${shown}`]);
  const [coloured] = rendered(terminal, [{ message }]);
  t.ok(coloured.endsWith(`\u001b[31mred${shown}\u001b[0m`), 'colours are kept, and end');
  t.match(rendered(terminal, [{ message: 'a\u001b[2Kb' }])[0], /a\\x1b\[2Kb$/);
});

t.test('a pipe gets no colours and all else as it is; raw, all of it', async (t) => {
  const [line] = rendered(pipe, [{ message: '\u001b[31mred\u001b[0m\u001b[2J\r' }]);
  t.equal(line, 'api:1 | red\u001b[2J');
  const message = '\u001b[31mred\u001b[2J\r';
  t.equal(render.renderRaw(entry({ message })), message);
  t.equal(render.renderRaw(entry({ message }), true), `${TIME} ${message}`);
});

t.test('JSON', async (t) => {
  const line = render.renderJson(entry({ message: 'a\n\u009b"' }));
  t.notMatch(line, /[\n\u009b]/);
  const whole = { time: TIME, app: 'api', worker: 1, stream: 'out', message: 'a\n\u009b"' };
  t.same(JSON.parse(line), whole);
  const part = { time: null, goesOn: true };
  t.match(JSON.parse(render.renderJson(entry(part))), part);
  t.equal(render.renderJson(entry({ record: { event: 'x' } })), '{"event":"x"}');
});

const line = (more) => JSON.stringify({ time: TIME, level: 'warn', daemon: 7, ...more });
const ofDaemon = (text, to = pipe) => render.renderDaemonEntry(readDaemonLine(text), to);

t.test('an event of the daemon', async (t) => {
  const ended = line({
    ...{ event: 'worker.exited', app: 'api', slot: 1, code: 1, signal: null },
    ...{ reason: 'exited with code 1', after: '2s', failed: [] },
  });
  const text = 'worker.exited api:1 code=1 reason="exited with code 1" after=2s';
  t.equal(ofDaemon(ended), `${TIME} warn  ${text}`);
  t.match(readDaemonLine(ended), { time: Date.parse(TIME), message: text });
  t.equal(ofDaemon(line({ event: 'daemon.ended' })), `${TIME} warn  daemon.ended`);
});

t.test('what the daemon itself printed', async (t) => {
  for (const text of ['(node:1) Warning: x', '', '{"a":1}', 'null', '{"event":']) {
    t.equal(ofDaemon(text), text);
    t.equal(readDaemonLine(text).time, null);
  }
  t.equal(ofDaemon('{"event":"x"}'), '- undefined x');
});

t.test('the log of the daemon on a terminal', async (t) => {
  const to = { width: 50, colours: true, isTerminal: true };
  const reason = `\u001b[2J ${'word '.repeat(20)}`;
  const text = ofDaemon(line({ event: 'x', app: 'api', reason }), to);
  t.match(text, '\u001b[33mwarn');
  t.notMatch(text, '\u001b[2J');
  t.ok(text.split('\n').length > 2);
});
