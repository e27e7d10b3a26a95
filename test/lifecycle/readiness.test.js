import t from 'tap';
import { judgeReadiness, startClockMs } from '../../src/lifecycle/readiness.js';

const BLOCKED = 'event loop blocked since its start';
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
const check = {
  what: 'its health check',
  hasPassed: false,
  failure: 'GET /: 503',
  startPeriodMs: 30_000,
};
const NOT_PASSED = 'did not pass its health check within 30 s (GET /: 503)';
const ask = { verdict: 'ask for the sign' };
const online = { verdict: 'online' };
const wait = (ms, late) => ({ verdict: 'wait', ms, ...(late && { late }) });
const long = { loadedMs: 1000, minUptimeMs: 60_000 };
const blocked = { loadedMs: null, uptimeMs: 12_000 };
const failed = (reason) => ({ verdict: 'failed', reason });

const rows = [
  ['a first start waits for a socket', {}, wait(1000)],
  ['a first start that listens is online', { listening: ['*:1'] }, online],
  ['what never listens is online when it stays up', { loadedMs: 3000 }, online],
  ['what shows no server yet may still make one', { loadedMs: 1000 }, wait(1000)],
  [
    'not longer than listen_timeout',
    { loadedMs: 1000, listenTimeoutMs: 1000, uptimeMs: 1000 },
    online,
  ],
  ['what is known not to listen need only stay up', { loadedMs: 1000, sign: 'silent' }, online],
  ['what cannot say so is looked at for longer', { loadedMs: 1000, sign: 'unknown' }, wait(1000)],
  ['and is then online', { loadedMs: 3000, sign: 'unknown' }, online],
  [
    'what is busy may be loaded still',
    { loadedMs: 1000, uptimeMs: 1200, sign: 'busy' },
    { ...wait(1000), waitsFor: 'up to 10 s until it listens, as it is still busy' },
  ],
  ['but before that, its program is looked at', { loadedMs: 1000, sign: null }, ask],
  ['once it has stayed up', { loadedMs: 900, sign: null }, wait(100)],
  [
    'what has made a server may listen',
    { loadedMs: 1000, uptimeMs: 1200, sign: 'server' },
    { ...wait(8800), waitsFor: 'up to 10 s until it listens, as it has made a server' },
  ],
  ['if not, it is online', { loadedMs: 10_000, uptimeMs: 10_000, sign: 'server' }, online],
  ['a long min_uptime: its program is looked at after a second', { ...long, sign: null }, ask],
  [
    'what it waits for is said, which is at most listen_timeout',
    { ...long, loadedMs: 3000 },
    { ...wait(7000), waitsFor: 'until it has run for 10 s (min_uptime)' },
  ],
  ['and then it is online', { ...long, loadedMs: 10_000 }, online],
  ['a first second without a word', { ...long, loadedMs: 0 }, wait(1000)],
  ['a replacement must stay up as long as it says', { ...long, replaces: true }, wait(59_000)],
  [
    'what is known as a server has listen_timeout',
    { expected: 'likely', loadedMs: 1000, sign: null },
    wait(10_000),
  ],
  [
    'and then is online',
    { expected: 'likely', loadedMs: 9000, uptimeMs: 10_000, sign: null },
    online,
  ],
  [
    'a replacement, too, is waited for',
    { replaces: true, expected: 'likely', loadedMs: 1000 },
    wait(10_000),
  ],
  [
    'but does not fail without a socket, unlike one whose old worker listens',
    { replaces: true, expected: 'likely', loadedMs: 9000, uptimeMs: 10_000 },
    online,
  ],
  ['what is not loaded does not stay up', { loadedMs: null, uptimeMs: 5000 }, wait(5000)],
  [
    'what has listened before must do so again',
    { expected: 'any', uptimeMs: 99_000 },
    wait(null, 'did not listen within 10 s'),
  ],
  ['after a restart it must listen again', { expected: 'again', loadedMs: 1000 }, wait(10_000)],
  [
    'and is said to be late',
    { expected: 'again', uptimeMs: 12_000 },
    wait(18_000, 'did not listen within 10 s'),
  ],
  [
    'but is online without a socket when nobody waits for it any more',
    { expected: 'again', uptimeMs: 30_000, loadedMs: 30_000 },
    online,
  ],
  [
    'not before listen_timeout, though',
    { expected: 'again', uptimeMs: 5000, loadedMs: 5000, holdTimeoutMs: 0 },
    wait(5000),
  ],
  ['a program that blocks at load is told of', blocked, wait(null, BLOCKED)],
  [
    'and ended with hang_timeout',
    { ...blocked, hangTimeoutMs: 12_000 },
    failed(`${BLOCKED} for 12 s`),
  ],
  [
    'one that a signal has stopped does not start any more',
    { ...blocked, isStopped: true },
    failed('was stopped by a signal during its start'),
  ],
  ['but it may be continued in time', { ...blocked, isStopped: true, uptimeMs: 9000 }, wait(1000)],
  [
    'one that serves has started, whatever stops it now',
    { isStopped: true, uptimeMs: 12_000, listening: ['*:1'] },
    online,
  ],
  ['but not before it', { ...blocked, hangTimeoutMs: 15_000 }, wait(3000, BLOCKED)],
  ['nor before listen_timeout', { ...blocked, uptimeMs: 9000, hangTimeoutMs: 5000 }, wait(1000)],
  ['and then is online', { expected: 'any', listening: ['*:1'] }, online],
  [
    'the first replacement must stay up too',
    { replaces: true, mustStayUp: true, expected: ['*:1'], listening: ['*:1'], loadedMs: 400 },
    wait(600),
  ],
  [
    'if it shows nothing, it is looked at for longer',
    { replaces: true, mustStayUp: true, loadedMs: 1000 },
    wait(2000),
  ],
  [
    'one that did is online',
    { replaces: true, mustStayUp: true, expected: ['*:1'], listening: ['*:1'], loadedMs: 1000 },
    online,
  ],
  [
    'but the time before it listened does not count',
    { replaces: true, mustStayUp: true, listening: ['*:1'], loadedMs: 5000, upMs: 400 },
    wait(600),
  ],
  [
    'those that follow it only have to listen',
    { replaces: true, expected: ['*:1'], listening: ['*:1'], loadedMs: 10 },
    online,
  ],
  [
    "or to send 'ready'",
    { replaces: true, waitReady: true, saidReady: true, loadedMs: 10 },
    online,
  ],
  ['and if they never listen, to stay up', { replaces: true, loadedMs: 400 }, wait(600)],
  [
    'a replacement must listen wherever the old one does',
    { replaces: true, expected: ['*:1', '*:2'], listening: ['*:2'], uptimeMs: 2000 },
    wait(8000),
  ],
  [
    'a replacement that does not in time has failed',
    { replaces: true, expected: ['*:1', '*:2'], listening: ['*:2'], uptimeMs: 10_000 },
    failed('did not listen on *:1 within 10 s'),
  ],
  [
    'and the reason names the port that it took instead',
    { replaces: true, expected: ['*:1'], listening: ['*:41234'], uptimeMs: 10_000 },
    failed('did not listen on *:1 but on *:41234 within 10 s'),
  ],
  [
    'a replacement that may listen elsewhere must listen somewhere',
    { replaces: true, expected: 'any', uptimeMs: 10_000 },
    failed('did not listen within 10 s'),
  ],
  ['a replacement of what never listened', { replaces: true, loadedMs: 1000 }, online],
  [
    'a replacement that does not even load',
    { replaces: true, loadedMs: null, uptimeMs: 10_000 },
    failed('did not load within 10 s'),
  ],
  [
    'a program that could not listen, and handled that, may try again',
    { expected: 'none', loadedMs: 5000, fault: 'could not listen on port 1' },
    wait(10_000),
  ],
  [
    'and then fails',
    { expected: 'none', loadedMs: 5000, uptimeMs: 10_000, fault: 'could not listen on port 1' },
    failed('could not listen on port 1'),
  ],
  ['wait_ready waits', { waitReady: true, listening: ['*:1'] }, wait(10_000)],
  ['wait_ready is content with the word', { waitReady: true, saidReady: true }, online],
  [
    'wait_ready fails in time, at a first start as well',
    { waitReady: true, listening: ['*:1'], uptimeMs: 10_000 },
    failed(`did not send 'ready' within 10 s`),
  ],
  ['a check that has not passed holds it back', { listening: ['*:1'], check }, wait(30_000)],
  ['also a program that never listens', { loadedMs: 5000, uptimeMs: 5000, check }, wait(25_000)],
  ['until it passes', { listening: ['*:1'], check: { ...check, hasPassed: true } }, online],
  [
    'a first start may pass at any time',
    { listening: ['*:1'], uptimeMs: 30_000, check },
    wait(null, NOT_PASSED),
  ],
  [
    'a replacement must pass in time',
    { listening: ['*:1'], replaces: true, loadedMs: 5000, uptimeMs: 30_000, check },
    failed(NOT_PASSED),
  ],
  [
    'and stay up, although it has passed',
    {
      listening: ['*:1'],
      replaces: true,
      mustStayUp: true,
      loadedMs: 0,
      check: { ...check, hasPassed: true },
    },
    wait(1000),
  ],
];

for (const [name, change, verdict] of rows) {
  const candidate = { ...fresh, ...change };
  t.test(name, async (t) =>
    t.same(judgeReadiness({ upMs: candidate.loadedMs, ...candidate }), verdict),
  );
}

for (const [name, uptimeMs, cpuWaitMs, clockMs] of [
  ['it had a CPU whenever it could use one', 12_000, 0, 12_000],
  ['it waited for one most of the time', 60_000, 55_000, 6000],
  ['it has got none: it is given up at some time', 100_000, 100_000, 10_000],
]) {
  t.equal(startClockMs(uptimeMs, cpuWaitMs), clockMs, name);
}
