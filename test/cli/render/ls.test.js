import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import * as ls from '../../../src/cli/render/ls.js';
import * as notes from '../../../src/show/terminal/notes.js';
import { exit, exited, inUse } from '../../support/snapshot.js';

const now = 1_700_000_000_000;
const wide = { width: 200, colours: false };

function worker(id, more = {}) {
  return {
    ...{ id, slot: id, pid: 4000 + id, status: 'online', cpu: 3.14, memory: 43_201_331 },
    ...{ startedAt: now - 185_000, restarts: 0, generation: 1, listening: [], ...more },
  };
}

function app(name, workers, more = {}) {
  return {
    name,
    namespace: 'default',
    status: 'online',
    mode: 'cluster',
    instances: workers.length,
    workers,
    ...more,
  };
}

const retrying = { status: 'backoff', pid: undefined, cpu: undefined, retryAt: now + 3200 };
const dying = { ...retrying, ...exited(1) };
const renderTable = (apps, terminal) => ls.renderTable(apps, terminal, now);
const at = (apps, width) => renderTable(apps, { width, colours: false });
const renderNotes = (apps, terminal) => notes.renderNotes(apps, terminal, { now });
const two = [app('api', [worker(0), worker(1, dying)])];

t.test('an app, and under it a row for each worker', async (t) => {
  t.same(renderTable(two, wide).split('\n'), [
    'id  name     mode     status       cpu  memory  uptime  restarts   pid',
    '    api      cluster  1/2 online  3.1%   82.4M                 0',
    ' 0    api:0           online      3.1%   41.2M   3m 5s         0  4000',
    ' 1    api:1           backoff 4s     -   41.2M   3m 5s         0     -',
  ]);
});

t.test('an app with one worker is one row', async (t) => {
  t.same(at([app('api', [worker(0)])], 60).split('\n'), [
    'id  name  status   cpu  memory  uptime  restarts   pid',
    ' 0  api   online  3.1%   41.2M   3m 5s         0  4000',
  ]);
});

t.test('ports, where somebody listens: of a worker only if they differ', async (t) => {
  const on = (port) => ({ listening: [{ address: `*:${port}`, protocol: 'http' }] });
  const same = app('api', [worker(0, on(3000)), worker(1, on(3000))]);
  const own = app('web', [worker(2, on(4000)), worker(3, on(4001))]);
  const lines = at([same, own], null).split('\n');
  const ports = lines.map((line) => line.slice(30, 42).trim());
  t.same(ports, ['port', '3000', '', '', '4000, 4001', '4000', '4001']);
  const headings = at([same], 60).split('\n')[0];
  t.match(headings, /status +port +cpu +memory +uptime +pid$/, 'restarts are dropped first');
});

t.test('a long address is cut where the width is short', async (t) => {
  const listening = [{ address: `/run/${'x'.repeat(295)}`, protocol: 'http' }];
  const apps = [app('api', [worker(0, { listening })])];
  const lines = (width) => at(apps, width).split('\n');
  for (const line of lines(100)) t.ok(line.length <= 100, line);
  t.match(lines(100)[1], / x+… /);
  t.ok(lines(null)[1].length < 200, 'on a pipe');
});

t.test('what the workers measure of themselves is shown where it is known', async (t) => {
  const vitals = { elu: 0.314, eventLoopDelayMs: { p50: 1, p99: 12.4 }, requestsPerSecond: 1234.5 };
  const busy = worker(0, { ...vitals, latencyMs: { p50: 3, p99: 48 } });
  const [headings, ...rows] = renderTable([app('api', [busy, worker(1)])], wide).split('\n');
  t.match(headings, /cpu +memory +loop +delay +req\/s +p99 +uptime/);
  t.match(rows[0], / 1235 /, 'the sum');
  t.match(rows[1], / 31% +12ms +1235 +48ms /);
  t.match(rows[2], / - +- +- +- /);
});

t.test('an app without workers, and the namespace where there is more than one', async (t) => {
  const idle = renderTable([app('idle', [], { status: 'stopped' })], wide);
  t.match(idle, /^ -\s+idle\s+cluster\s+stopped(\s+-)+$/m);
  t.notMatch(renderTable(two, wide), /namespace|default/);
  const shop = app('web', [worker(2)], { namespace: 'shop' });
  t.match(renderTable([...two, shop], wide), /namespace[^]*shop/);
});

t.test('what matters most is shown, and no line is too long', async (t) => {
  for (const [width, headings] of [
    [200, 'id name mode status cpu memory uptime restarts pid'],
    [80, 'id name mode status cpu memory uptime restarts pid'],
    [60, 'id name status cpu memory uptime pid'],
    [42, 'id name status cpu memory'],
    [36, 'id name status cpu'],
    [27, 'id name status'],
  ]) {
    const lines = at(two, width).split('\n');
    t.same(lines[0].trim().split(/\s+/), headings.split(' '));
    for (const line of lines) t.ok(line.length <= width, `${line.length}: ${line}`);
  }
});

t.test('a long name is cut where the width is short; on a pipe nothing is cut', async (t) => {
  const name = 'x'.repeat(64);
  const apps = [app(name, [worker(0)])];
  for (const line of at(apps, 40).split('\n')) t.ok(line.length <= 40, line);
  t.match(at(apps, 40), /x…/);
  t.match(at([app(name, [worker(0), worker(1)])], 40), /x…:1 /, 'its slot is kept');
  t.ok(at(apps, null).includes(name));
  const usual = [app('checkout-worker', [worker(0), worker(1, dying)], { namespace: 'shop' })];
  for (const width of [80, 90, 120]) t.match(at(usual, width), '  checkout-worker:1 ');
});

t.test('colours only where they are wanted, and they do not shift the columns', async (t) => {
  t.notMatch(at(two, null), '\u001b');
  const coloured = renderTable(two, { width: 80, colours: true });
  t.match(coloured, '\u001b[32monline\u001b[39m');
  t.match(coloured, '\u001b[31mbackoff 4s\u001b[39m');
  const bare = stripVTControlCharacters(coloured).replace(/ +$/gm, '');
  t.equal(bare, at(two, 80));
});

t.test('a status is not cut while the mode is shown', async (t) => {
  const requests = { open: 9, answered: 40, errors: 12, oldestSince: now - 9000 };
  const files = { open: 99, limit: 99 };
  const long = at([app('api', [worker(0, { requests, degraded: 'waits', files })])], 105);
  t.match(at(two, 80), ' mode ');
  t.match(long, ' degraded, 99 of 99 files open, oldest request 9s ');
  t.notMatch(long, ' mode ');
});

t.test('a reload that failed, until something follows it', async (t) => {
  const reason = exit(1);
  const lastReload = { ok: false, at: now - 76_000, reason, done: [], kept: [0] };
  const notesWith = (more) => renderNotes([app('api', [worker(0)], { lastReload, ...more })], wide);
  const failed = 'api  last reload failed 1m 16s ago: exit 1; the old version runs';
  t.same(notesWith({}), [failed]);
  const cause = "Cannot find module './x' (app.js:1)";
  const known = { lastReload: { ...lastReload, cause } };
  t.match(notesWith(known), [`ago: ${cause}; the old version runs`]);
  const changes = [{ at: now - 77_000, isApplied: false, differences: [{ key: 'env.DB' }] }];
  t.same(notesWith({ changes }), [`${failed}, env.DB as before`]);
  const some = { lastReload: { ...lastReload, done: [0] } };
  t.match(notesWith(some), [/ago: exit 1; the old version runs in all but 1 worker$/]);
  for (const more of [
    { changes: [{ at: now, isApplied: true, differences: [] }] },
    { workers: [worker(0, { startedAt: now - 60_000 })] },
    { workers: [worker(0, { status: 'stopped' })] },
    { lastReload: { ...lastReload, ok: true } },
  ]) {
    t.same(notesWith(more), []);
  }
});

t.test('an empty list says how to start; names cannot command the terminal', async (t) => {
  t.match(renderTable([], wide), /nodecluster start app\.js/);
  t.notMatch(renderTable([app('\u001b[2J', [worker(0)])], wide), '\u001b');
});

t.test('a block for each app in trouble: its causes, then one command', async (t) => {
  const cause = 'no database at 10.0.0.7 (db.js:3)';
  const errored = worker(1, { status: 'errored', ...exited(1), cause });
  const both = [app('api', [worker(0), errored, { ...errored, slot: 2 }])];
  const start = 'nodecluster start api  (once it is fixed)';
  const text = `api:1, api:2  ${cause}  ${start}`;
  t.same(renderNotes(both, wide), [text]);
  const shown = renderTable(both, wide);
  t.same(notes.renderNotes(both, wide, { shown, now }), [text]);
  t.same(renderNotes(both, { ...wide, width: 50 }), [`api:1, api:2  ${cause}`, `  ${start}`]);
  t.same(notes.renderNotes(two, wide, { shown: 'exit 1', now }), [], 'it wrote nothing');
  const taken = [app('api', [worker(0, { status: 'backoff', ...inUse({ holder: 'web' }) })])];
  const advice = renderNotes(taken, wide).at(-1);
  t.match(advice, / --set-env PORT=<port> {2}\(if the program reads PORT\)$/);
  const crashes = { ...errored, crash: { at: now } };
  const over = [app('api', [errored, { ...crashes, slot: 2 }])];
  t.same(notes.renderNotes(over, wide, { shown: 'api errored', now }), [`api  ${cause}  ${start}`]);
  const wrote = [app('api', [worker(0, { ...dying, cause })])];
  const coloured = renderNotes(wrote, { width: 200, colours: true });
  t.same(coloured.map(stripVTControlCharacters), [`api  ${cause}  nodecluster logs api`]);
  const odd = app('api', [worker(0)], { note: 'odd\u0007', logDroppedBytes: 2_000_000 });
  t.same(renderNotes([odd], wide), ['api  odd\\x07']);
  t.same(renderNotes([app('api', [worker(0)])], wide), []);
  const differences = [{ key: 'env.DB', from: 'a', to: 'b' }];
  const applied = { by: null, isApplied: true, differences, omitted: 0 };
  const changes = [{ at: now - 5000, action: 'reload', ...applied }];
  const requests = { open: 0, answered: 40, errors: 40 };
  const trouble = { degraded: 'errors', troubleSince: now - 2000 };
  const failing = worker(0, { requests, ...trouble, lastError: 'no database' });
  t.same(renderNotes([app('api', [failing], { changes })], wide), [
    'api  failing, 5xx 40/40: no database',
    '  since reload 5s ago: env.DB "a" → "b"',
    '  nodecluster reload api --set-env DB=a',
  ]);
  const undone = app('api', [failing], { changes: [...changes, ...changes] });
  t.notMatch(renderNotes([undone], wide).join(), '--set-env', 'it may be what was wrong before');
  const lone = app('api', [{ ...errored, troubleSince: now - 4000 }], { changes });
  const saidAbove = notes.renderNotes([lone], wide, { shown: cause, now });
  t.match(saidAbove, ['api', /^ {2}since reload 5s ago: env/, /--set-env DB=a$/], 'no empty cause');
});

t.test('the worst first, and of more than five the names where there is no room', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const degraded = { degraded: 'waits' };
  const apps = names.map((name) => app(name, [worker(0, name === 'g' ? dying : degraded)]));
  apps[6].workers[0].cause = 'no database at 10.0.0.7 (db.js:3)';
  const lines = renderNotes(apps, wide);
  t.equal(lines.length, 7);
  t.match(lines, [/^g {2}no database at /, /^a {2}nodecluster why a {2}\(see which .*\)$/]);
  const low = renderNotes(apps, { ...wide, height: 8 });
  t.same([low.length, low.at(-1)], [6, 'Also in trouble: e, f  nodecluster why']);
});

t.test('what is cut is said in full, a note once, and a kill not of a change', async (t) => {
  const full = app('b', [worker(0, { degraded: 'files', files: { open: 99, limit: 99 } })]);
  t.same(renderNotes([full], wide), ['b  degraded, 99 of 99 files open  nodecluster reload b']);
  const crash = { at: now - 4000, reason: { kind: 'exit', signal: 'SIGKILL' } };
  const changes = [{ at: now, action: 'reload', isApplied: true, differences: [] }];
  const killed = app('c', [worker(0, { crash })], { changes });
  t.same(renderNotes([killed], wide), [
    'c  killed by SIGKILL 4s ago, not by nodecluster; pid 4000 serves',
  ]);
  const noted = ['d', 'e'].map((name) => app(name, [worker(0)], { note: 'is back' }));
  t.same(renderNotes(noted, wide), ['d, e  is back']);
});

t.test('the user is shown if an app runs as another one', async (t) => {
  const apps = [app('api', [worker(0)], { user: 'www' }), app('web', [worker(1)])];
  const [head, first] = renderTable(apps, wide).split('\n');
  t.match(head, /^id {2}name +user {2}mode/);
  t.match(first, /^ 0 {2}api +www {3}cluster/);
  t.notMatch(renderTable([apps[1]], wide), 'user');
});

t.test('workers that do not serve and are alike are one row', async (t) => {
  const startingAt = (_, index) => worker(index + 3, { status: 'starting' });
  const starting = Array.from({ length: 497 }, startingAt);
  const apps = [app('h', [worker(0), worker(1), worker(2), ...starting])];
  const lines = renderTable(apps, wide).split('\n');
  t.equal(lines.length, 6);
  t.match(lines[5], /^ {6}h:3 +starting ×497 +1561% +20\.0G +0$/);
  const few = [app('h', [worker(0), ...starting.slice(0, 3)])];
  t.equal(renderTable(few, wide).split('\n').length, 6, 'three are shown one by one');
  const gone = { status: 'errored', ...exited(1) };
  const endedAt = (slot) => worker(slot, { ...gone, exitedAt: now - 59_000 - slot * 1000 });
  const errored = [0, 1, 2, 3].map(endedAt);
  t.match(renderTable([app('h', errored)], wide), /h:0 .*errored 59s ago ×4/);
  const retryAt = (slot) => worker(slot, { ...dying, retryAt: now + slot * 1000 });
  const again = renderTable([app('h', [0, 1, 2, 3].map(retryAt))], wide);
  t.match(again, /h:0 .*backoff ×4/, 'one starts, and the others wait');
});
