import t from 'tap';
import { requestFor } from '../../../src/clients/confirmation.js';
import { Monit } from '../../../src/clients/monit/command.js';
import { actionFor } from '../../../src/clients/monit/keys.js';
import { selectedRow } from '../../../src/clients/monit/state.js';
import { sparkline } from '../../../src/show/quantity.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { stateText } from '../../../src/show/state.js';
import { until } from '../../support/until.js';
import { app, daemon, monitWith, now, resting, worker } from './monit-under-test.js';
import { exited } from '../../support/snapshot.js';

const dying = resting(1, { status: 'backoff', retryAt: now + 3200, ...exited(1) });
const api = app('api', [worker(0), worker(1), worker(2)]);
const bad = app('bad', [worker(0), dying]);
const web = app('web', [worker(0)]);
const all = [api, bad, web];
const keysOf = ({ shown }) => shown.map(({ key }) => key);

t.test('moving stops at the ends', async (t) => {
  const monit = monitWith(all);
  t.equal(monit.press('<up>').selected, 'api');
  t.equal(monit.press('j', 'j', 'k').selected, 'api:0');
  t.equal(monit.press('G').selected, 'web');
  t.equal(monit.press('<down>').selected, 'web');
  t.equal(monit.press('g').selected, 'api');
  t.equal(monit.press('<pagedown>').selected, 'web', 'half the height of the terminal');
});

t.test('it begins at what is broken', async (t) => {
  const waits = {
    degraded: 'waits',
    requests: { open: 1, answered: 0, errors: 0, oldestSince: 1 },
  };
  t.equal(monitWith([]).frame(all).selected, 'bad:1');
  t.equal(monitWith([]).frame([api, web]).selected, 'api');
  t.equal(
    monitWith([]).frame([api, app('shop', [worker(0, waits)])]).selected,
    'shop',
    'or serves badly',
  );
});

t.test('p goes to the next app with a problem, the worst first, and round', async (t) => {
  const requests = { open: 0, answered: 50, errors: 40 };
  const degraded = worker(0, { requests, degraded: 'errors' });
  const monit = monitWith([api, app('shop', [degraded]), bad, web]);
  const visited = ['bad:1', 'shop', 'bad:1'];
  const found = visited.map(() => monit.press('p').selected);
  t.same(found, visited);
  t.equal(monitWith([api, web]).press('j', 'p').selected, 'api:0', 'there is none');
});

t.test('the selection stays on its row, or where it was when that is gone', async (t) => {
  const monit = monitWith(all);
  monit.press('j', 'j');
  t.equal(monit.frame([web, api]).selected, 'api:1');
  t.equal(monit.frame([web, app('api', [worker(0), worker(2)])]).selected, 'api:2');
  t.equal(monit.frame([]).selected, null);
  t.equal(selectedRow(monit.press('r', 'd', ' ', 'j')), null, 'keys apply to nothing then');
  t.equal(monit.frame([web]).selected, 'web');
});

t.test('a filter by name or state, while it is typed', async (t) => {
  const monit = monitWith(all);
  t.same(keysOf(monit.press('/', 'b', 'a')), ['bad', 'bad:0', 'bad:1']);
  t.equal(monit.state.selected, 'bad');
  t.same(keysOf(monit.press('c')), ['bad', 'bad:1'], 'a state: backoff');
  t.same(keysOf(monit.press('<return>')), ['bad', 'bad:1']);
  t.same(keysOf(monit.press('/', 'x')), []);
  t.same(keysOf(monit.press('<backspace>')), ['bad', 'bad:1']);
  t.equal(keysOf(monit.press('<escape>')).length, 2, 'as it was before it was typed');
  t.equal(keysOf(monit.press('<escape>')).length, 8);
  t.equal(monit.press('/', 'q').filter, 'q', 'letters are no commands');
});

t.test('an app with many workers is folded, but while a filter is set', async (t) => {
  const workers = Array.from({ length: 500 }, (_, slot) => worker(slot));
  for (const slot of [3, 4, 300]) {
    workers[slot] = { ...dying, slot, retryAt: now + slot * 100, ...exited(2) };
  }
  workers[7] = { ...dying, slot: 7 };
  const stack = { frames: [{ name: 'hash', origin: 'program' }] };
  workers[8] = worker(8, { status: 'blocked', blockedSince: now - 9000, stack });
  const monit = monitWith([app('many', workers), web]);
  t.same(keysOf(monit.state), ['many', 'many:3', 'many:7', 'many:8', 'web']);
  const texts = monit.state.shown.map((row) => stateText(row, now));
  const [crashed, hangs] = ['backoff 1s ×3', 'blocked 9s'];
  t.same(texts, ['495/500 online', crashed, 'backoff 4s', hangs, 'online']);
  monit.press('G', 'k', 'k', 'k');
  t.same(keysOf(monit.frame([app('many', workers)])), ['many', 'many:3', 'many:7', 'many:8']);
  workers[3] = worker(3);
  const [, ...left] = keysOf(monit.frame([app('many', workers)]));
  t.same(left, ['many:3', 'many:4', 'many:7', 'many:8'], 'the selected one stays');
  t.equal(keysOf(monit.press(' ')).length, 501);
  t.equal(keysOf(monit.press(' ')).length, 4);
  const others = monitWith([app('many', workers)]);
  t.same(keysOf(others.press('/', ...'many:77')), ['many', 'many:77']);
});

t.test('apps in trouble are folded if they would not fit on the screen', async (t) => {
  const workers = [0, 2, 3].map((slot) => worker(slot));
  const names = ['b1', 'b2', 'b3', 'b4', 'b5'];
  const broken = names.map((name) => app(name, [dying, worker(2), worker(3)]));
  const good = app('good', [...workers, worker(1)]);
  const monit = monitWith([good, ...broken.slice(0, 3)]);
  t.same(keysOf(monit.state).slice(0, 4), ['b1', 'b1:1', 'b1:2', 'b1:3'], 'three fit');
  monit.frame([good, ...broken]);
  const folded = names.flatMap((name) => [name, `${name}:1`]);
  t.same(keysOf(monit.state).slice(0, 10), folded);
  monit.press('g', ' ');
  t.same(keysOf(monit.state).slice(0, 5), ['b1', 'b1:1', 'b1:2', 'b1:3', 'b2'], 'as it was asked');
});

const idle = [app('web', [resting(0, { status: 'stopped' })])];
const confirmations = [
  [['r'], 'reload', { selectors: ['api'] }, /^Reload api\? 3 workers\./],
  [['j', 'R'], 'restart', { selectors: ['api:0'] }, /1 worker; requests are finished\.$/],
  [['j', '-'], 'scale', { selector: 'api', instances: '2' }, /^Scale api from 3 to 2\?/],
  [['+', '+', '-', '+'], 'scale', { selector: 'api', instances: '5' }, /^Scale api from 3 to 5\?/],
  [['+', '1', '-', '7'], 'scale', { selector: 'api', instances: '7' }, /^Scale api from 3 to 7\?/],
  [['s'], 'resume', { selectors: ['web'] }, /^Start web\?/, idle],
];

for (const [keys, method, params, text, apps = all] of confirmations) {
  const what = `${keys.join(' ')} asks first`;
  const monit = monitWith(apps);
  const { view } = monit.press(...keys);
  t.equal(view.kind, 'confirmation', what);
  t.match(`${view.confirmation.title} ${view.confirmation.text}`, text, what);
  t.same(monit.effects, [], what);
  t.equal(monit.press('y').view.kind, 'table', what);
  t.match(monit.effects, [{ do: 'send' }], what);
  t.same(requestFor(monit.effects[0].confirmation), { method, params }, what);
}

t.test('what is not a yes is a no', async (t) => {
  for (const key of ['n', 'q', '7', '<return>', '<escape>', '<down>']) {
    const monit = monitWith(all);
    t.equal(monit.press('R', key).view.kind, 'table', key);
    t.same(monit.effects, [], key);
  }
});

t.test('a description is asked for, and again with every frame, until it is closed', async (t) => {
  const monit = monitWith(all);
  monit.press('j', 'd');
  const command = monit.state.view.command;
  t.same(monit.effects, [{ do: 'show', command: ['describe', 'api'] }]);
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
  monit.happen({ kind: 'output', command: ['describe', 'web'], lines: ['of another'] });
  t.same(monit.state.view.lines, ['…']);
  monit.happen({ kind: 'output', command, lines });
  t.equal(monit.press('j').view.top, 1);
  t.equal(monit.press('G').view.top, 28, 'a page of 22 rows');
  t.equal(monit.press('<down>').view.top, 28);
  t.equal(monit.press('g', 'k').view.top, 0);
  monit.frame(all);
  t.equal(monit.effects.length, 2);
  t.equal(monit.press('q').view.kind, 'table');
  monit.frame(all);
  t.equal(monit.effects.length, 2);
});

/** apps, keys → whom `w` asks about */
const whys = [
  [[web], [], 'web'],
  [[api], ['j', 'j'], 'api:1'],
  [[app('api', [worker(0), worker(1, { degraded: 'errors' }), dying])], [], 'api:1'],
  [[app('none', [worker(0)], { workers: [] })], [], 'none'],
];

for (const [apps, keys, target] of whys) {
  const what = `why of ${target}, once`;
  const monit = monitWith(apps);
  monit.press(...keys, 'w');
  monit.frame(apps);
  t.same(monit.effects, [{ do: 'show', command: ['why', target] }], what);
  t.equal(monit.press('w').view.kind, 'table', what);
}

t.test('quit, from wherever', async (t) => {
  for (const before of [[], ['?'], ['r'], ['/']]) {
    const monit = monitWith(all);
    monit.press(...before, '<ctrl-c>');
    t.same(monit.effects.at(-1), { do: 'quit' });
  }
  const monit = monitWith(all);
  monit.press('q', '<ctrl-l>');
  t.same(monit.effects, [{ do: 'quit' }, { do: 'redraw' }]);
});

t.test('a daemon that is gone leaves what was known; the past goes with its row', async (t) => {
  const monit = monitWith(all);
  const lost = monit.happen({ kind: 'lost' }, now + 5000);
  t.match(lost, { daemon: null, changedAt: now + 5000, apps: all });
  t.equal(monit.happen({ kind: 'lost' }, now + 9000).changedAt, now + 5000);
  t.match(monit.frame(all), { daemon });
  for (let frame = 0; frame < 100; frame += 1) monit.frame(all);
  t.equal(monit.state.history.get('api').cpu.length, 60);
  t.equal(Math.round(monit.state.history.get('api').cpu.at(-1)), 9, 'the sum of its workers');
  monit.frame([web]);
  t.same([...monit.state.history.keys()], ['web']);
  const steps = Array(360).fill(null).fill(7, 357);
  const figures = ['cpu', 'memory', 'elu', 'requestsPerSecond', 'errorsPerSecond'];
  const past = { slot: 0, ...Object.fromEntries(figures.map((figure) => [figure, steps])) };
  const pastHour = { at: now, everyMs: 10_000, workers: [past] };
  monit.happen({ kind: 'past', apps: [{ ...web, pastHour }] });
  monit.frame([web]);
  const { cpu } = monit.state.history.get('web');
  t.same([cpu.length, ...cpu.slice(-3)], [31, 7, 7, 3.1], 'ten seconds for each step before');
});

t.test('log lines are bounded, those of another row begin anew; a message goes', async (t) => {
  const monit = monitWith(all);
  const entries = Array.from({ length: 600 }, (_, index) => ({ message: String(index) }));
  monit.happen({ kind: 'log', key: 'api', entries });
  monit.happen({ kind: 'log', key: 'api', entries });
  t.equal(monit.state.log.entries.length, 1000);
  t.equal(monit.state.log.entries.at(-1).message, '599');
  monit.happen({ kind: 'log', key: 'api', entries: [], isFirst: true });
  t.same(monit.state.log.entries, []);
  monit.happen({ kind: 'log', key: 'web', entries: entries.slice(0, 1) });
  t.match(monit.state.log, { key: 'web', entries: [{ message: '0' }] });
  monit.happen({ kind: 'log', key: 'web:1', entries: [{ message: 'ü'.repeat(200_000) }] });
  t.equal(monit.state.log.entries[0].message.length, 2000);
  monit.happen({ kind: 'message', text: 'done', tone: 'good' });
  t.match(monit.happen({ kind: 'tick' }, now + 1000).message, { text: 'done' });
  t.equal(monit.happen({ kind: 'tick' }, now + 60_000).message, null);
});

/** mode, what is typed, its name → what it means */
const rows = [
  ['table', undefined, { name: 'down' }, { action: 'down' }],
  ['table', 'G', { name: 'g', shift: true }, { action: 'last' }],
  ['table', '\r', { name: 'return' }, { action: 'describe' }],
  ['table', '\u0003', { name: 'c', ctrl: true }, { action: 'quit' }],
  ['table', 'x', { name: 'x' }, null],
  ['table', 'constructor', { name: 'constructor' }, null],
  ['table', undefined, { name: 'q', meta: true }, null],
  ['page', 'r', { name: 'r' }, null],
  ['page', '\u001b', { name: 'escape', meta: true }, { action: 'close' }],
  ['confirmation', '\r', { name: 'return' }, { action: 'no' }],
  ['confirmation', '\u0001', { name: 'a', ctrl: true }, { action: 'no' }],
  ['filter', 'é', {}, { action: 'type', text: 'é' }],
  ['filter', '\t', { name: 'tab' }, null],
];

for (const [mode, text, key, expected] of rows)
  t.same(actionFor(mode, text, key), expected, `${mode}: ${JSON.stringify(text ?? key.name)}`);

t.test('of an app that is gone the description goes', async (t) => {
  const data = { selector: 'api', known: ['web'], nearest: null };
  const error = new NodeclusterError('E_APP_UNKNOWN', data);
  const context = { stdout: { colours: false }, runCommand: () => Promise.reject(error) };
  const monit = new Monit(context, { output: { columns: 80, rows: 24 } });
  monit.onEvent({ kind: 'frame', daemon, apps: [web] });
  const describe = (text) => monit.onEvent({ kind: 'key', text, key: { name: text } });
  describe('d');
  t.same(monit.state.view.lines, ['…'], 'while the daemon is gone it stays');
  describe('q');
  monit.client = {};
  describe('d');
  await until(() => /no app "api"/.test(monit.state.view.lines[0]), 'the error');
});

const tableRows = [
  [[0, 50, 100], 3, '▁▅█'],
  [[1, 2, 100], 1, '█'],
  [[100], 3, '  █'],
  [[null, 100], 2, ' █'],
  [[125, 250], 2, '▅█', 'more than its usual scale'],
  [[], 2, '  '],
];

for (const [values, width, expected] of tableRows)
  t.equal(sparkline(values, width, 100), expected, JSON.stringify(expected));
