/** `logs` and `flush` as they are typed. */
import t from 'tap';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandWith, outcome, runOk } from './fake-context.js';
import { until } from '../support/until.js';
import { exit, said } from '../support/snapshot.js';

const TIME = '2026-03-01T12:00:00.000Z';
const at = (seconds) => new Date(Date.parse(TIME) + seconds * 1000).toISOString();

const LOGS = {
  out: `${at(0)} api:0 | one\n${at(2)} api:1 | three\n`,
  error: `${at(1)} api:0 | two\n`,
};

/** An app with two lines on stdout and one on stderr between them. */
function daemonWithLogs(t, more = {}, logs = LOGS) {
  const directory = t.testdir(logs);
  const style = { type: 'text', time: true, dateFormat: null };
  const [out, error] = ['out', 'error'].map((name) => [path.join(directory, name)]);
  const files = [{ slot: null, out, error }];
  const api = { name: 'api', slots: null, workers: [0, 1], style, files, ...more };
  return { 'log-files': () => ({ apps: [api] }) };
}

t.test('logs', async (t) => {
  const daemon = daemonWithLogs(t);
  const record = { time: at(1), app: 'api', worker: 0, stream: 'error', message: 'two' };
  for (const [line, printed] of [
    ['', ['api:0 | one', 'api:0 ! two', 'api:1 | three']],
    ['--lines 1', ['api:0 ! two', 'api:1 | three']],
    ['--err', ['api:0 ! two']],
    ['--out --raw', ['one', 'three']],
    ['--grep /T/i', ['api:0 ! two', 'api:1 | three']],
    ['--grep ^t.*o$ --timestamp', [`${at(1)} api:0 ! two`]],
    ['--lines 0', []],
    ['--since 1s', []],
    ['--since 10000d', ['api:0 | one', 'api:0 ! two', 'api:1 | three']],
    [`--since ${at(1)}`, ['api:0 ! two', 'api:1 | three']],
    [`--until ${at(1)} --lines 1`, ['api:0 | one', 'api:0 ! two']],
    ['--json --err', [JSON.stringify(record)]],
  ]) {
    const command = await runOk(`logs --no-follow ${line}`.trim(), { daemon });
    t.same(command.printed, printed, line);
    t.match(command.asked, [{ method: 'log-files', params: { selectors: ['all'] } }]);
  }
});

t.test('a pipe gets more lines, and why the app crashes is said beside them', async (t) => {
  const out = Array.from({ length: 1200 }, (_, n) => `${at(n)} api:0 | ${n}\n`).join('');
  const workers = [
    {
      slot: 0,
      status: 'online',
      crash: { at: Date.now(), reason: exit(1), cause: 'no db (api.js:3)' },
    },
    { slot: 1, status: 'blocked', stack: 'at loop (api.js:9)' },
  ];
  const apps = [{ name: 'api', workers }];
  const noted = ['api:0  degraded, crashed 0s ago: no db (api.js:3)'];
  for (const [line, list, notes] of [
    ['', () => ({ apps }), noted],
    [`--until ${at(1200)}`, () => ({ apps }), []],
    ['', () => Promise.reject(new Error('busy')), []],
  ]) {
    const daemon = { ...daemonWithLogs(t, {}, { out, error: '' }), list };
    const { printed, noted } = await runOk(`logs --no-follow ${line}`.trim(), { daemon });
    t.same([printed.length, printed[0]], [1000, 'api:0 | 200']);
    t.same(noted.join('\n').replace(/\d+s/, '0s'), notes.join('\n'));
  }
});

t.test('no line is found', async (t) => {
  for (const line of ['--grep zz', '--err', '--since 1s --out']) {
    const daemon = daemonWithLogs(t, {}, { out: `${TIME} api:0 | one\n` });
    const { printed, noted } = await runOk(`logs --no-follow ${line}`, { daemon });
    t.same([printed, noted], [[], ['No such line was found.']], line);
  }
});

t.test('the stack below a line that matches belongs to it', async (t) => {
  const line = (second, worker, text) => `${at(second)} api:${worker} | ${text}\n`;
  const stack = (second, worker) =>
    [`Error: boom ${second}`, '    at f (a.js:1)', '}'].map((text) => line(second, worker, text));
  const [first, ...rest] = stack(1, 0);
  const out = [first, line(1, 1, '  of another worker'), ...rest, line(1, 0, '  '), line(1, 0, '')];
  const logs = {
    out: [...out, line(1, 0, '  of no match'), ...stack(3, 0)].join(''),
    error: stack(2, 1).join(''),
  };
  for (const [lines, seconds] of Object.entries({ 1: [2, 3], 9: [1, 2, 3] })) {
    const typed = `logs --no-follow --raw --grep boom --lines ${lines}`;
    const { printed } = await runOk(typed, { daemon: daemonWithLogs(t, {}, logs) });
    const expected = seconds.flatMap((at_) => [`Error: boom ${at_}`, '    at f (a.js:1)', '}']);
    const found = printed.filter((text) => text.trim() !== '');
    t.same(found, expected);
  }
});

t.test('single workers, and lines that do not name theirs', async (t) => {
  const line = 'logs api:1 --no-follow';
  const some = await runOk(line, { daemon: daemonWithLogs(t, { slots: [1] }) });
  t.same([some.printed, some.noted], [['api:1 | three'], []]);
  const style = { type: 'raw', time: true, dateFormat: null };
  const raw = await runOk(line, { daemon: daemonWithLogs(t, { slots: [1], style }) });
  t.equal(raw.printed.length, 3);
});

t.test('an app whose output is not saved', async (t) => {
  const files = [{ slot: null, out: [], error: [] }];
  const { noted } = await runOk('logs --no-follow', { daemon: daemonWithLogs(t, { files }) });
  t.equal(noted.length, 2);
  t.matchSnapshot(noted[0], 'note');
});

/** The time of a line is local. */
const withoutClock = (lines) => lines.map((line) => line.replace(/^[-\d]+ [:\d]+ /, ''));

t.test('records of JSON are text on a terminal, and unchanged elsewhere', async (t) => {
  const stack = 'Error: no\n    at a (/srv/a.js:1:1)';
  const written = [
    { level: 30, time: 1, msg: 'hi' },
    { level: 30, time: 2, msg: 'hi' },
    { level: 30, time: 3, msg: 'hi' },
    { level: 50, time: 4, msg: 'failed', id: 7, err: { message: 'no', stack } },
  ].map((record) => JSON.stringify(record));
  const logs = {
    out: written.map((line, at_) => `${at(at_)} api:0 | ${line}\n`).join(''),
    error: '',
  };
  const heads = written.map((line) => `api:0 | ${line}`);
  const error = ['ERROR failed id=7', ...stack.split('\n')].map((line) => `api:0 | ${line}`);
  for (const [line, isTerminal, printed] of [
    ['', true, [...Array(3).fill('api:0 | INFO  hi'), ...error]],
    ['', false, heads],
    ['--raw', true, written],
    ['--grep ERROR.*id=7$', true, error],
    ['--grep "level":50', true, error],
    ['--grep ERROR.*id=7$', false, []],
    ['--grep "level":50', false, heads.slice(3)],
  ]) {
    const daemon = daemonWithLogs(t, {}, logs);
    const command = await commandWith(`logs --no-follow ${line}`.trim(), { daemon });
    command.context.stdout.isTerminal = isTerminal;
    await command.run();
    t.same(withoutClock(command.printed.join('\n').split('\n')).filter(Boolean), printed, line);
  }
});

t.test('what logs rejects', async (t) => {
  for (const [line, code, message] of [
    ['--raw --json', 'E_USAGE', '--raw and --json'],
    ['api --daemon', 'E_USAGE', '--daemon'],
    ['--grep (', 'E_USAGE', 'Unterminated'],
    ['--lines x', 'E_USAGE', 'number'],
    ['--since 5', 'E_USAGE', '10m'],
    ['--since soon', 'E_USAGE', '10m'],
  ]) {
    const run = async () => (await commandWith(`logs ${line}`)).run();
    await t.rejects(run(), { code, message: new RegExp(message.replaceAll('-', '.')) }, line);
  }
  const nobody = await commandWith('logs', { daemon: null });
  await t.rejects(nobody.run(), { code: 'E_NO_APPS' });
  const style = { type: 'raw', time: true, dateFormat: null };
  const timeless = await commandWith('logs --since 1m', { daemon: daemonWithLogs(t, { style }) });
  await t.rejects(timeless.run(), { code: 'E_LOG_TIMELESS', hint: /time: true/ });
});

t.test('logs --daemon needs no daemon', async (t) => {
  const home = path.join(t.testdir(), 'home');
  const log = await commandWith('logs --daemon --no-follow --grep started', { daemon: null });
  log.context.daemons.home = home;
  await t.rejects(log.run(), { code: 'E_LOG_NONE' });
  mkdirSync(home);
  const lines = ['daemon.started', 'daemon.ended'].map((event) =>
    JSON.stringify({ time: TIME, level: 'info', event, daemon: 1 }),
  );
  writeFileSync(path.join(home, 'daemon.log'), `${lines.join('\n')}\n`);
  t.equal(await log.run(), 0);
  t.same(log.printed, [`${TIME} info  daemon.started`]);
});

t.test('flush', async (t) => {
  const failed = [{ slot: null, reason: said('full'), lastLines: [] }];
  for (const [line, selectors, more, code] of [
    ['flush api web', ['api', 'web'], { done: [] }, 0],
    ['flush', ['all'], { ok: false, failed }, 5],
  ]) {
    const daemon = { flush: () => ({ apps: [outcome({ action: 'flush', ...more })] }) };
    const { asked, printed, run } = await commandWith(line, { daemon });
    t.equal(await run(), code);
    t.same(asked, [{ method: 'flush', params: { selectors } }]);
    t.same(printed, []);
  }
});

t.test('while no daemon runs the logs are followed, and no line comes twice', async (t) => {
  const ended = new AbortController();
  const { printed, context, run } = await commandWith('logs --err', { daemon: daemonWithLogs(t) });
  const { find } = context.daemons;
  let looks = 0;
  // The third look is the first at whether the apps have other logs now.
  context.daemons.find = async () => (++looks === 3 ? null : find());
  context.options.ended = ended.signal;
  const running = run();
  const write = async (text) => {
    const line = `${new Date().toISOString()} api:0 | ${text}\n`;
    appendFileSync(path.join(t.testdirName, 'error'), line);
    await until(() => printed.includes(`api:0 ! ${text}`), text);
  };
  await until(() => printed.length === 1, 'the past line');
  await write('before');
  await until(() => looks === 4, 'the next daemon');
  await write('after');
  ended.abort();
  await running;
  t.same(printed, ['api:0 ! two', 'api:0 ! before', 'api:0 ! after']);
});
