import t from 'tap';
import { widthOf } from '../../../src/show/terminal/cells.js';
import { layout } from '../../../src/clients/monit/layout.js';
import { app, monitWith, now, resting, worker } from './monit-under-test.js';
import { exited } from '../../support/snapshot.js';

const why = exited(1);
const dying = resting(1, { status: 'backoff', retryAt: now + 3200, ...why, restarts: 7 });
const blocked = worker(2, { status: 'blocked', blockedSince: now - 12_000, cpu: 100 });
const api = app('api', [worker(0), dying, blocked], { status: 'blocked' });
const web = app('web', [worker(0)]);
const hundred = Array.from({ length: 100 }, (_, slot) => worker(slot));
const many = app('many', hundred);
const rowsBy = { 80: 24, 200: 50, 40: 15, 20: 5, 10: 3, 4: 1 };
const sizes = Object.entries(rowsBy).map((size) => size.map(Number));
const entries = Array.from({ length: 60 }, (_, index) => ({
  time: now,
  worker: index % 3,
  stream: index % 7 ? 'out' : 'error',
  message: `${index} 日本語 \u001b[31mred\u001b[2J ${'long '.repeat(60)}`,
}));

function draw(monit, columns, rows, more = {}) {
  return layout(monit.state, { columns, rows, colours: false, ...more }, now);
}

const situations = {
  table: [],
  confirmation: ['r'],
  filter: ['/', 'a'],
  filtered: ['/', 'a', '<return>'],
  'nothing matches': ['/', 'x', 'x'],
  help: ['?'],
  description: ['d'],
  log: ['l', 'k'],
};

const looks = [{}, { colours: true }];

/** @returns what is wrong with a screen of that size, which is too much for an assertion each */
function faults(columns, rows, name, apps) {
  const monit = monitWith(apps, rows);
  monit.happen({ kind: 'log', key: apps[0]?.name ?? 'api', entries });
  monit.happen({ kind: 'message', text: 'api:1 online '.repeat(20), tone: 'good' });
  monit.press(...situations[name]);
  return looks.flatMap((look) => {
    const lines = draw(monit, columns, rows, look);
    const found = [
      lines.length !== rows && `${lines.length} lines`,
      lines.some((line) => widthOf(line) > columns) && 'too wide',
      lines.join('\n').includes('\u001b[2J') && 'what programs say commands the terminal',
    ];
    const where = `${name}, ${apps.length} apps, ${JSON.stringify(look)}`;
    return found.filter(Boolean).map((fault) => `${where}: ${fault}`);
  });
}

for (const [columns, rows] of sizes) {
  const found = Object.keys(situations).flatMap((name) =>
    [[], [api, web], [many, api, web]].flatMap((apps) => faults(columns, rows, name, apps)),
  );
  t.same(found, [], `${columns}×${rows}`);
}

t.test('80 × 24', async (t) => {
  const monit = monitWith([api, web]);
  monit.press('j');
  t.equal(draw(monit, 80, 24)[8], '', 'nobody knows yet');
  monit.happen({ kind: 'log', key: 'api:0', entries: [], isFirst: true });
  t.equal(draw(monit, 80, 24)[8], '  No recent output.');
  const own = entries.slice(0, 4).filter(({ worker }) => worker === 0);
  monit.happen({ kind: 'log', key: 'api:0', entries: own });
  const lines = draw(monit, 80, 24);
  t.match(lines[0], /^ 2 apps {2}4 workers: 1 blocked {2}1 backoff {2}2 online$/);
  t.match(lines[1], /^ {2}name +status +cpu +memory +loop +req\/s +p99 +restarts$/);
  t.match(lines[2], /^ {2}api +1\/3 online/);
  t.match(lines[3], /^▸ {3}:0 +online +3\.1% +41\.2M +12% +10 +29ms +0$/);
  t.match(lines[4], /^ {4}:1 +backoff 4s: exit 1, 7 restarts$/);
  t.match(lines[5], /^ {4}:2 +blocked 12s +100\.0%/);
  t.match(lines[6], /^ {2}web +online/);
  t.match(lines[7], /^── log of api:0 ─+$/);
  t.match(lines[8], /^ \d\d:\d\d:\d\d 0 日本語 red\\x1b\[2J long/);
  t.match(lines[9], /^ {10}(long )+/, 'the rest of it');
  t.match(lines[13], /^ \d\d:\d\d:\d\d 3 日本語/);
  t.match(lines[23], /\? help {2}q quit/);
});

t.test('why a worker crashes, in full, if its row has no room for it', async (t) => {
  const cause = 'FATAL: licence file /etc/shop/licence.pem is not readable, giving up now';
  const log = { kind: 'log', key: 'quiet', entries: entries.slice(0, 4) };
  const paneWith = (more) => {
    const monit = monitWith([app('quiet', [{ ...dying, ...more }])]);
    monit.happen(log);
    return draw(monit, 80, 24).slice(3, -1);
  };
  t.equal(paneWith({ cause }).at(-1), ` ${cause}`);
  const long = `${cause}: ${'it '.repeat(30)}ends`;
  t.match(paneWith({ cause: long }).at(-1), /^ (it )+ends$/, 'on more lines than one');
  t.notMatch(paneWith({ cause: 'no database' }).join(), 'no database', 'the row has it');
});

t.test('a command to copy is not cut in a message', async (t) => {
  const monit = monitWith([api]);
  const text = `shop: the app now has 3 workers, 2 of them online (\`nodecluster scale shop 2\` undoes that).`;
  monit.happen({ kind: 'message', text, tone: 'bad' });
  const foot = draw(monit, 80, 24).slice(-2);
  t.equal(foot.map((line) => line.trim()).join(' '), text);
});

t.test('apps in trouble are seen first, if not all fit', async (t) => {
  const apps = Array.from({ length: 13 }, (_, index) => app(`app-${index}`, [worker(index)]));
  const last = app('z', [dying]);
  const firstRow = (...shown) => draw(monitWith(shown), 80, 24)[2];
  t.match(firstRow(...apps, last), /^▸ app-0/);
  t.match(firstRow(...apps, app('busy', [worker(0)], { busy: 'reload' }), last), /^▸ z/);
});

const frame = { name: 'buildMonthlyReport', file: '/srv/report.js', line: 7, column: 3 };
const stack = { frames: [{ ...frame, origin: 'program' }] };
const slow = app('slow', [worker(0), { ...blocked, slot: 1, stack }]);

const cause = `licence file ${'/etc/shop'.repeat(9)} is missing`;
const crashing = { status: 'backoff', restarts: 7, ...why, cause };
for (const [columns, rows] of sizes) {
  t.test(`${columns}×${rows}: no state changes the columns`, async (t) => {
    const monit = monitWith([], rows, columns);
    const headingOf = (other) => {
      monit.frame([app('api', [worker(0, { restarts: 1 }), other])]);
      return draw(monit, columns, rows)[1];
    };
    const heading = headingOf(worker(1));
    for (const other of [resting(1, crashing), worker(1, crashing), slow.workers[1]]) {
      t.equal(headingOf(other), heading);
    }
  });
}

const troubled = app('hang', [
  worker(0, {
    degraded: 'waits',
    requests: { open: 10, answered: 60, errors: 19, oldestSince: now - 74_000 },
    listening: [{ address: '*:8080', protocol: null }],
    restarts: 3,
  }),
]);

t.test('80 columns show what decides, and no status is cut', async (t) => {
  const [, heading, row] = draw(monitWith([troubled]), 80, 24);
  t.match(heading, /^ {2}name +status +port +cpu +memory +open +5xx +restarts$/);
  t.match(row, /^▸ hang +degraded, oldest request 1m 14s +8080 +3\.1% +41\.2M +10 +19 +3$/);
});

t.test('a column is shown since an app needed it', async (t) => {
  const monit = monitWith([web]);
  const has = (name) => draw(monit, 200, 50)[1].includes(` ${name}`);
  const rare = ['open', '5xx', 'port'];
  for (const name of rare) t.notOk(has(name), name);
  for (const apps of [[web, troubled], [web]]) {
    monit.frame(apps);
    for (const name of rare) t.ok(has(name), name);
  }
});

t.test('what is wide shows more', async (t) => {
  const [, heading] = draw(monitWith([web]), 200, 50);
  for (const name of ['delay', 'p50', 'conns', 'heap', 'uptime', 'pid']) {
    t.ok(heading.includes(` ${name}`), name);
  }
});

t.test('of many rows those around the selected one are shown', async (t) => {
  const monit = monitWith([many]);
  monit.press(' ', 'G', '<up>');
  const lines = draw(monit, 80, 24);
  t.match(lines[14], /^▸.*:98 /);
  t.match(lines[15], /:99 /);
  t.match(lines[16], /^── log of many:98 ─/);
  t.match(lines[0], / rows 89–101 of 101$/);
  t.match(lines[2], /^ {2}many +100 online/, 'the app whose workers these are');
  t.match(lines[3], /:87 /);
});

t.test('on a page no colour goes beyond its line', async (t) => {
  const monit = monitWith([web]);
  monit.press('d');
  const wide = `\u001b[31m${'x'.repeat(100)}\u001b[39m`;
  const lines = ['\u001b[2mdim, broken', 'here\u001b[22m', wide];
  monit.happen({ kind: 'output', command: monit.state.view.command, lines });
  const [, first, second, third] = draw(monit, 40, 15, { colours: true });
  t.equal(first, '\u001b[2mdim, broken\u001b[0m');
  t.equal(second, 'here\u001b[22m\u001b[0m');
  t.equal(third, `${'x'.repeat(39)}…`);
});

t.test('colours by state, and none where they are not wanted', async (t) => {
  const monit = monitWith([api]);
  const coloured = draw(monit, 80, 24, { colours: true }).join('\n');
  t.match(coloured, '\u001b[31mbackoff 4s: exit 1, 7 restarts\u001b[39m');
  t.match(coloured, '\u001b[7m', 'the selected row');
  t.notMatch(draw(monit, 80, 24).join('\n'), '\u001b');
});

t.test('the head counts workers by what their rows say, the worst first', async (t) => {
  const health = { status: 'unhealthy' };
  const requests = { open: 0, answered: 50, errors: 40 };
  const look = { colours: true };
  const headOf = (...workers) => draw(monitWith([app('api', workers)]), 80, 24, look)[0];
  t.match(headOf(worker(0), worker(1)), '2 workers \u001b[32monline');
  const [good, bad] = ['\u001b[39m  \u001b[32m1 online', '2 workers: \u001b[31m1'];
  t.match(headOf(worker(0), worker(1, { health })), `${bad} unhealthy${good}`);
  const failing = worker(1, { requests, degraded: 'errors' });
  t.match(headOf(worker(0), failing), `2 workers: \u001b[33m1 degraded${good}`);
});

t.test('a daemon that says nothing any more: what is shown is old', async (t) => {
  const monit = monitWith([api]);
  const head = (later) => layout(monit.state, look, now + later)[0];
  const look = { columns: 80, rows: 24, colours: false };
  t.notMatch(head(4000), 'silent');
  t.match(head(7000), /daemon silent for 7s$/);
  monit.happen({ kind: 'frame', daemon: { pid: 1, version: '1' }, apps: [api] }, now + 7000);
  t.notMatch(head(8000), 'silent');
});
