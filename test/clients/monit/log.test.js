import t from 'tap';
import { join } from 'node:path';
import { layout } from '../../../src/clients/monit/layout.js';
import { LogWatch } from '../../../src/clients/monit/log-watch.js';
import { until } from '../../support/until.js';
import { app, monitWith, now, worker } from './monit-under-test.js';

const look = { columns: 60, rows: 13, colours: false };
const api = app('api', [worker(0), worker(1)]);

function linesOf(count, from = 0) {
  return Array.from({ length: count }, (_, index) => {
    const message = `line ${from + index}`;
    return { time: null, app: 'api', worker: 0, stream: 'out', message };
  });
}

function logAfter(...keys) {
  const monit = monitWith([api], look.rows, look.columns);
  monit.happen({ kind: 'log', key: 'api', entries: linesOf(100), isFirst: true });
  monit.press('l', ...keys);
  return monit;
}

const draw = (monit, more) => layout(monit.state, { ...look, ...more }, now);
const firstOf = (monit) => Number(/line (\d+)/.exec(draw(monit)[2])?.[1]);

/** keys, the first line on the screen */
const scrolls = [
  [[], 90],
  [['k', 'k', 'j', 'j', 'j'], 90],
  [['<pageup>'], 85],
  [['g'], 0],
  [['g', ' '], 5],
];

for (const [keys, first] of scrolls)
  t.equal(firstOf(logAfter(...keys)), first, keys.join(' ') || 'the newest lines');

t.test('new lines move what is at the end, and nothing else', async (t) => {
  const atEnd = logAfter();
  const above = logAfter(...'kkkkkkkk');
  for (const monit of [atEnd, above]) {
    monit.happen({ kind: 'log', key: 'api', entries: linesOf(950, 100) });
  }
  t.equal(firstOf(atEnd), 1040);
  t.equal(firstOf(above), 82);
  t.match(draw(above)[1], /lines 33–42 of 1000$/);
  above.happen({ kind: 'log', key: 'api', entries: linesOf(900, 1050) });
  t.equal(firstOf(above), 950, 'the oldest that is left');
});

/** A line that takes four rows, and the colours of them joined. */
const long = { ...linesOf(1)[0], message: `${'x'.repeat(190)} the cause` };

t.test('a long line is wrapped, below the table too', async (t) => {
  for (const keys of [['q'], []]) {
    const monit = logAfter(...keys);
    monit.happen({ kind: 'log', key: 'api', entries: [long] });
    const lines = draw(monit).slice(-5, -1);
    t.match(lines[0], /^ :0 x{56}$/);
    t.match(lines[3], /^ {4}x+ the cause$/);
  }
});

/** keys in a log whose last line takes four of ten rows; the first rows on the screen, and the last */
const wrapped = [
  [[], /line 94$/, /the cause$/],
  [['k'], /line 93$/, /x$/],
  [['k', 'G'], /line 94$/, /the cause$/],
  [['<pageup>'], /line 89$/, /line 98$/],
];

for (const [keys, first, last] of wrapped) {
  const what = `beside a long line: ${keys.join(' ')}`;
  const monit = logAfter();
  monit.happen({ kind: 'log', key: 'api', entries: [long] });
  monit.press(...keys);
  const lines = draw(monit);
  t.match(lines[2], first, what);
  t.match(lines[11], last, what);
}

t.test('the newest rows fill the screen with the end of the line before', async (t) => {
  const monit = logAfter();
  monit.happen({ kind: 'log', key: 'api', entries: [long, ...linesOf(8, 100)] });
  const lines = draw(monit);
  t.match(lines[1], /lines 103–112 of 112$/);
  t.match(lines[3], /x the cause$/);
  t.match(lines[4], /line 100$/);
});

t.test('title and foot', async (t) => {
  const wide = { columns: 80 };
  const monit = logAfter();
  t.match(draw(monit)[1], /^── log of api ─+ lines 91–100 of 100$/);
  t.match(draw(monit, wide)[12], /^ q back {2}↑ ↓ scroll/);
  t.equal(monit.press('q').view.kind, 'table');
});

t.test('a record of JSON is text', async (t) => {
  const stack = 'Error: no\n    at a (/srv/a.js:1:1)';
  const record = { level: 50, pid: 1234, msg: 'failed', err: { message: 'no', stack } };
  const entries = [...linesOf(20), { ...linesOf(1)[0], message: JSON.stringify(record) }];
  const monit = monitWith([api], look.rows, look.columns);
  monit.happen({ kind: 'log', key: 'api', entries, isFirst: true });
  monit.press('l');
  const painted = draw(monit, { colours: true }).slice(-4, -1);
  t.ok(painted.every((line) => line.includes('\u001b[31m')));
  t.match(draw(monit).slice(-4, -1), [/ :0 ERROR failed$/, /^ {4}Error: no$/, /at a .*1:1\)$/]);
});

const monit = monitWith([api]);
const rows = { app: monit.state, worker: monit.press('G') };

function watchOf(t, text) {
  const folder = t.testdir({ 'api-out.log': text });
  const path = join(folder, 'api-out.log');
  const requested = [];
  const events = [];
  const request = async (_method, { selectors: [selector] }) => {
    requested.push(selector);
    const [, slot] = selector.split(':');
    const slots = slot === undefined ? null : [Number(slot)];
    const style = { type: 'text', time: false, dateFormat: null };
    const own = { name: 'api', slots, style, files: [{ slot: null, out: [path], error: [] }] };
    return { apps: [own] };
  };
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const watch = new LogWatch((event) => events.push(event), ending.signal);
  return { requested, events, follow: (state) => watch.follow(state, { request }) };
}

t.test('the lines of a worker that has long been silent while others wrote', async (t) => {
  const others = Array.from({ length: 500 }, (_, index) => `api:0 | line ${index}\n`).join('');
  const { events, follow } = watchOf(t, `api:1 | FATAL? lock held by pid 77\n${others}`);
  follow(rows.worker);
  await until(() => events.length > 0, 'its log');
  t.match(events, [{ kind: 'log', key: 'api:1', isFirst: true }]);
  const messages = events[0].entries.map(({ message }) => message);
  t.same(messages, ['FATAL? lock held by pid 77']);
});

t.test('an empty log is shown as empty', async (t) => {
  const { events, follow } = watchOf(t, '');
  follow(rows.app);
  await until(() => events.length > 0, 'its log');
  t.match(events, [{ key: 'api', entries: [], isFirst: true }]);
});

t.test('a row that is only passed is not read', async (t) => {
  const { requested, events, follow } = watchOf(t, 'api:0 | line\n');
  follow(rows.worker);
  follow(rows.app);
  await until(() => events.length > 0, 'the log of the last one');
  t.same(requested, ['api']);
});
