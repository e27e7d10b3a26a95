import t from 'tap';
import * as rules from '../../src/lifecycle/listening.js';
import { judgeReadiness, startClockMs } from '../../src/lifecycle/readiness.js';
import { adviseOnListenFault } from '../../src/show/outcome.js';
import { reasonText } from '../../src/show/reason.js';

const fresh = {
  waitReady: false,
  saidReady: false,
  listening: [],
  fault: null,
  expected: 'none',
  replaces: false,
  mustStayUp: false,
  uptimeMs: 0,
  isStopped: false,
  loadedMs: 0,
  minUptimeMs: 1000,
  listenTimeoutMs: 10_000,
  holdTimeoutMs: 30_000,
  hangTimeoutMs: null,
  check: null,
  sign: 'none',
};
const failure = 'GET /: 503';
const check = { hasPassed: false, failure, startPeriodMs: 30_000 };
const late = (what, afterMs, more) => ({
  kind: 'late',
  what,
  ...(afterMs && { afterMs }),
  ...more,
});
const NOT_PASSED = late('check', 30_000, { text: failure });
const BLOCKED = late('turn');
const STOPPED = late('continue');
const ELSEWHERE = late('listen', 10_000, { addresses: ['*:1'], instead: ['*:41234'] });
const MISSING = late('listen', 10_000, { addresses: ['*:1'], instead: [] });
const UNSAID = late('ready', 10_000);
const LATE = late('listen', 10_000);
const ask = { verdict: 'ask for the sign' };
const online = { verdict: 'online' };
const wait = (ms, late) => ({ verdict: 'wait', ms, ...(late && { late }) });
const stays = (ms) => ({ ...wait(ms), isUp: true });
const failed = (reason) => ({ verdict: 'failed', reason });

/** For how long it has run, and since when it is loaded. */
const at = (uptimeMs, loadedMs = uptimeMs) => ({ uptimeMs, loadedMs });
const loaded = (loadedMs) => ({ loadedMs });
const long = { loadedMs: 1000, minUptimeMs: 60_000 };
const blocked = { loadedMs: null, uptimeMs: 12_000 };
const listens = { listening: ['*:1'] };
const next = { replaces: true };
const first = { ...next, mustStayUp: true };
const same = { ...listens, expected: ['*:1'] };
const half = { ...next, expected: ['*:1', '*:2'], listening: ['*:2'] };
const other = { ...next, expected: ['*:1'], listening: ['*:41234'] };
const fault = { kind: 'listen', errno: 'EADDRINUSE', port: 1 };
const passed = { check: { ...check, hasPassed: true } };

const rows = [
  ['a first start waits for a socket', {}, wait(1000)],
  ['a first start that listens is online', listens, online],
  ['what never listens is online when it stays up', loaded(3000), online],
  ['what shows no server yet may still make one', loaded(1000), wait(1000)],
  ['not longer than listen_timeout', { ...at(1000), listenTimeoutMs: 1000 }, online],
  ['what is known not to listen need only stay up', { ...loaded(1000), sign: 'silent' }, online],
  ['what cannot say so is looked at for longer', { ...loaded(1000), sign: 'unknown' }, wait(1000)],
  ['and is then online', { ...loaded(3000), sign: 'unknown' }, online],
  ['what is busy may be loaded still', { ...at(1200, 1000), sign: 'busy' }, wait(1000)],
  ['but before that, its program is looked at', { ...loaded(1000), sign: null }, ask],
  ['once it has stayed up', { ...loaded(900), sign: null }, wait(100)],
  ['what made a server may listen', { ...at(1200, 1000), sign: 'server' }, wait(8800)],
  ['if not, it is online', { ...at(10_000), sign: 'server' }, online],
  ['a long min_uptime: its program is looked at after a second', { ...long, sign: null }, ask],
  ['at most listen_timeout', { ...long, loadedMs: 3000 }, stays(7000)],
  ['and then it is online', { ...long, loadedMs: 10_000 }, online],
  ['a first second without a word', { ...long, loadedMs: 0 }, wait(1000)],
  ['a replacement must stay up as long as it says', { ...long, ...next }, stays(59_000)],
  ['a server has listen_timeout', { expected: 'likely', ...loaded(1000), sign: null }, wait(1e4)],
  ['and then is online', { expected: 'likely', ...at(10_000, 9000), sign: null }, online],
  ['a replacement is waited for', { ...next, expected: 'likely', ...loaded(1000) }, wait(10_000)],
  ['but needs no socket', { ...next, expected: 'likely', ...at(10_000, 9000) }, online],
  ['what is not loaded does not stay up', at(5000, null), wait(5000)],
  ['what has listened must do so again', { expected: 'any', ...at(99_000, 0) }, wait(null, LATE)],
  ['after a restart it must listen again', { expected: 'again', ...loaded(1000) }, wait(10_000)],
  ['and is said to be late', { expected: 'again', ...at(12_000, 0) }, wait(18_000, LATE)],
  ['but not when nobody waits any more', { expected: 'again', ...at(30_000) }, online],
  ['not before listen_timeout', { expected: 'again', ...at(5000), holdTimeoutMs: 0 }, wait(5000)],
  ['a program that blocks at load is told of', blocked, wait(null, BLOCKED)],
  ['and ended at last', { ...blocked, hangTimeoutMs: 12_000 }, failed(late('turn', 12_000))],
  ['one that a signal has stopped', { ...blocked, isStopped: true }, failed(STOPPED)],
  ['but it may be continued in time', { ...blocked, isStopped: true, uptimeMs: 9000 }, wait(1000)],
  ['what serves has started', { isStopped: true, ...at(12_000, 0), ...listens }, online],
  ['but not before it', { ...blocked, hangTimeoutMs: 15_000 }, wait(3000, BLOCKED)],
  ['nor before listen_timeout', { ...blocked, uptimeMs: 9000, hangTimeoutMs: 5000 }, wait(1000)],
  ['and then is online', { expected: 'any', ...listens }, online],
  ['the first replacement must stay up too', { ...first, ...same, ...loaded(400) }, stays(600)],
  ['if it shows nothing, for longer', { ...first, ...loaded(1000) }, stays(2000)],
  ['one that did is online', { ...first, ...same, ...loaded(1000) }, online],
  ['it counts since it listens', { ...first, ...listens, ...loaded(5000), upMs: 400 }, stays(600)],
  ['those that follow it only have to listen', { ...next, ...same, ...loaded(10) }, online],
  ["or to send 'ready'", { ...next, waitReady: true, saidReady: true, ...loaded(10) }, online],
  ['and if they never listen, to stay up', { ...next, ...loaded(400) }, stays(600)],
  ['it must listen wherever the old one does', { ...half, uptimeMs: 2000 }, wait(8000)],
  ['or fails', { ...half, uptimeMs: 10_000 }, failed(MISSING)],
  ['the reason names what it took instead', { ...other, uptimeMs: 1e4 }, failed(ELSEWHERE)],
  ['it must listen somewhere', { ...next, expected: 'any', uptimeMs: 10_000 }, failed(LATE)],
  ['a replacement of what never listened', { ...next, ...loaded(1000) }, online],
  ['that does not load', { ...next, ...at(10_000, null) }, failed(late('load', 10_000))],
  ['what could not listen may try again', { ...loaded(5000), fault }, wait(10_000)],
  ['and then fails', { ...at(10_000, 5000), fault }, failed(fault)],
  ['wait_ready waits', { waitReady: true, ...listens }, wait(10_000)],
  ['wait_ready is content with the word', { waitReady: true, saidReady: true }, online],
  ['wait_ready fails in time', { waitReady: true, ...listens, uptimeMs: 1e4 }, failed(UNSAID)],
  ['a check that has not passed holds it back', { ...listens, check }, wait(30_000)],
  ['also a program that never listens', { ...at(5000), check }, wait(25_000)],
  ['until it passes', { ...listens, ...passed }, online],
  ['a first start may pass late', { ...listens, uptimeMs: 30_000, check }, wait(null, NOT_PASSED)],
  ['a replacement not', { ...listens, ...next, ...at(30_000, 5000), check }, failed(NOT_PASSED)],
  ['and stay up, although it has passed', { ...listens, ...first, ...passed }, stays(1000)],
];

for (const [name, change, verdict] of rows) {
  const candidate = { ...fresh, ...change };
  t.same(judgeReadiness({ upMs: candidate.loadedMs, ...candidate }), verdict, name);
}

for (const [name, uptimeMs, cpuWaitMs, clockMs] of [
  ['it had a CPU whenever it could use one', 12_000, 0, 12_000],
  ['it waited for one most of the time', 60_000, 55_000, 6000],
  ['it has got none: it is given up at some time', 100_000, 100_000, 10_000],
]) {
  t.equal(startClockMs(uptimeMs, cpuWaitMs), clockMs, name);
}

const facts = { listening: [], mayListen: true, port: null };
const elsewhere = (...ports) => ({ kind: 'elsewhere', ports, asked: 3000 });
const notes = [
  ['a server without a socket', {}, { kind: 'silent' }],
  ['a program that is no server', { mayListen: false }, null],
  ['a server', { listening: ['*:3000'] }, null],
  ['its PORT', { listening: ['[::1]:3000', '*:9000'], port: 3000 }, null],
  ['another port than its PORT', { listening: ['*:3001'], port: 3000 }, elsewhere(3001)],
  ['PORT is 0', { listening: ['*:41234'], port: 0 }, null],
  ['a port of its own', { listening: ['*:3001'] }, null],
  ['a unix socket', { listening: ['/run/api.sock'], port: 3000 }, null],
];
for (const [name, change, note] of notes)
  t.same(rules.noteListening({ ...facts, ...change }), note, name);

const departures = [
  ['all are there', ['*:80', '/run/a.sock'], ['/run/a.sock', '*:80', '*:81'], []],
  ['one is not', ['*:80', '/run/a.sock'], ['*:80'], ['/run/a.sock']],
  ['one that the system may have chosen', ['*:80', '*:41234'], ['*:80'], []],
];
for (const [name, before, now, gone] of departures)
  t.same(rules.goneFrom(before, now), gone, `where nobody listens any more: ${name}`);

t.test('a port that the system gave to a child is private, and may change', async (t) => {
  t.ok(rules.isPrivatePlace('127.0.0.1:41234'));
  t.ok(rules.isPrivatePlace('[::1]:41234'));
  t.notOk(rules.isPrivatePlace('127.0.0.1:9222'), 'a port that somebody chose');
  t.notOk(rules.isPrivatePlace('*:41234'), 'others reach it');
  t.same(rules.replacedBy(['*:3000', '*:41234'], ['*:45678']), ['*:41234']);
  t.same(rules.replacedBy(['*:41234'], ['*:9100']), [], 'not one that somebody chose');
  t.same(rules.replacedBy(['*:41234', '*:45678'], ['*:45678']), [], 'which is expected itself');
});

const inUse = { errno: 'EADDRINUSE', port: 3000 };
const ANY = '10.0.0.9:3000: no network interface has that address (EADDRNOTAVAIL)';
const faults = [
  ['EADDRINUSE', undefined, 3000, 'port 3000: in use by api', 'api'],
  ['EADDRINUSE', undefined, 3000, 'port 3000: in use by pid 4711 (nginx)', 'pid 4711 (nginx)'],
  ['EADDRINUSE', undefined, 3000, 'port 3000: in use by another process'],
  ['EADDRINUSE', '::', 3000, 'port 3000: in use by api', 'api'],
  ['EADDRINUSE', '127.0.0.1', 3000, '127.0.0.1:3000: in use by api', 'api'],
  ['EADDRINUSE', '::1', 3000, '[::1]:3000: in use by api', 'api'],
  ['EADDRINUSE', '/run/api.sock', undefined, '/run/api.sock: in use by api', 'api'],
  ['EADDRINUSE', '/run/api.sock', undefined, '/run/api.sock: in use'],
  ['EACCES', '0.0.0.0', 80, 'port 80: only root may (EACCES)'],
  ['EACCES', '/run/api.sock', undefined, '/run/api.sock: permission denied (EACCES)'],
  ['EADDRNOTAVAIL', '10.0.0.9', 3000, ANY],
  ['EINVAL', undefined, 3000, 'port 3000 (EINVAL)'],
];

t.test('why it could not listen', async (t) => {
  for (const [errno, address, port, text, holder] of faults) {
    const words = reasonText({ kind: 'listen', errno, address, port, holder });
    t.equal(words, `could not listen on ${text}`);
  }
});

t.test('advice for a port', async (t) => {
  t.match(adviseOnListenFault({ errno: 'EACCES', port: 80 }), /_ports: 80`/);
  const local = { errno: 'EACCES', address: '127.0.0.1', port: 80 };
  t.match(adviseOnListenFault(local), /_ports: 127\.0\.0\.1:80`/);
  t.equal(adviseOnListenFault({ errno: 'EACCES', address: '/run/x' }), null);
  t.match(adviseOnListenFault(inUse), /--set-env PORT=/);
  const left = { ...inUse, address: '/run/x', port: undefined };
  t.match(adviseOnListenFault(left), /: rm \/run\/x$/);
  for (const more of [{ holder: 'api' }, { address: undefined }])
    t.equal(adviseOnListenFault({ ...left, ...more }), null);
});
