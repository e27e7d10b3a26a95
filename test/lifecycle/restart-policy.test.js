import t from 'tap';
import { doublingDelay } from '../../src/lifecycle/delays.js';
import { commandFailure, exitedWell } from '../../src/lifecycle/exit.js';
import { includesEvent, withEvent } from '../../src/lifecycle/recent-events.js';
import * as restart from '../../src/lifecycle/restart-policy.js';
import { cannotListen, exit, killedBy, said } from '../support/snapshot.js';

const policy = {
  autorestart: true,
  stopExitCodes: [],
  maxRestarts: 4,
  restartWindowMs: 60_000,
  restartDelayMs: 0,
  expBackoffRestartDelayMs: 100,
  maxRestartDelayMs: 500,
};
const exitOf = (reason) => ({ code: reason.code ?? null, signal: reason.signal ?? null, reason });
const crash = exitOf(exit(1));
const FAULT = cannotListen('EADDRINUSE', 3000);
/** Deaths of workers that had been online. */
const at = (...times) => times.map((atMs) => ({ atMs, startingMs: 0 }));
const decide = (change = {}) =>
  restart.decideRestart({
    policy,
    exit: crash,
    deaths: at(1000),
    nowMs: 1000,
    random: 0,
    ...change,
  });

t.test('a script that exits with 0 has done its work', async (t) => {
  for (const [which, reason, expected] of [
    ['a script', exit(0), true],
    ['it could not listen', FAULT, false],
    ['its stdin ended', exit(0, { stdinEnded: 'empty' }), false],
    ['it failed', exit(1), false],
    ['it was killed', killedBy('SIGTERM'), false],
    ['nodecluster ended it', said('did not listen'), false],
    ['nothing is known', undefined, false],
  ]) {
    t.equal(exitedWell(reason), expected, which);
  }
});

const done = exitOf(exit(0));
const handled = { ...done, reason: FAULT };
const crashed = { ...crash, reason: FAULT };
const none = { code: null, signal: null, error: null };
const refused = (error) => exitOf({ kind: 'start', error });
const SHORTAGES = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];
const off = { ...policy, autorestart: false };
const listed = { ...policy, stopExitCodes: [0, 1] };
const slow = { ...policy, restartDelayMs: 300 };
const job = { ...off, onDemand: true };
const spread = at(0, 15_000, 30_000, 45_000, 59_000);
const many = at(...Array(50).fill(1000));
const again = (delayMs) => ({ action: 'restart', delayMs });
const exited = (reason) => ({ action: 'exited', reason });
const errored = (reason) => ({ action: 'errored', reason });
const often = (isLonger) => exit(1, { final: { failures: 5, windowMs: 60_000, isLonger } });
const isOff = (reason) => ({ ...reason, final: 'autorestart' });
const TOO_LARGE = 'E2BIG';

const decisions = [
  ['the first restart is immediate', {}, again(0)],
  ['then there is a delay', { deaths: at(900, 1000) }, again(100)],
  ['which doubles', { deaths: at(800, 900, 1000) }, again(200)],
  ['and again', { deaths: at(700, 800, 900, 1000) }, again(400)],
  ['up to the limit', { policy: { ...policy, maxRestarts: 100 }, deaths: many }, again(500)],
  ['jitter takes up to a quarter away', { deaths: at(900, 1000), random: 0.999999 }, again(75)],
  ['a minimum delay applies to the first', { policy: slow }, again(300)],
  ['and to every restart', { policy: slow, deaths: at(900, 1000) }, again(300)],
  ['what could not listen, and handled that', { exit: handled }, again(0)],
  ['the same, off', { exit: handled, policy: off }, exited(isOff(FAULT))],
  [
    'the same, with a code that ends it',
    { exit: handled, policy: listed },
    exited({ ...FAULT, final: 'stop_exit_codes' }),
  ],
  ['what could not listen has failed if it crashed', { exit: crashed, policy: listed }, again(0)],
  ['the same, off', { exit: crashed, policy: off }, { action: 'errored' }],
  ['a run of a job that has ended', { policy: job, exit: done }, exited(exit(0))],
  ['one that has failed', { policy: job }, errored(exit(1))],
  [
    'one that could not start runs again at its next time',
    { policy: job, exit: refused('ENOMEM') },
    errored({ kind: 'start', error: 'ENOMEM', final: undefined }),
  ],
  ['every death in the window counts', { deaths: spread, nowMs: 59_000 }, errored(often(false))],
  ['and only those', { deaths: spread, nowMs: 60_001 }, { action: 'restart' }],
  ['an expected exit is no death', { policy: listed }, { action: 'exited' }],
  ['a code that is not listed', { policy: { ...policy, stopExitCodes: [0, 7] } }, again(0)],
  ['done, off', { policy: off, exit: done }, { action: 'exited' }],
  ['failed, off', { policy: off }, errored(isOff(exit(1)))],
  ['killed, off', { policy: off, exit: exitOf(killedBy('SIGKILL')) }, { action: 'errored' }],
  [
    'too large for the system',
    { exit: refused(TOO_LARGE) },
    errored({ kind: 'start', error: TOO_LARGE, final: undefined }),
  ],
  ['not there yet', { exit: refused('ENOENT') }, again(0)],
  ...SHORTAGES.map((error) => {
    const starved = { policy: { ...off, maxRestarts: 0 }, exit: refused(error) };
    return [`a shortage does not count as a death: ${error}`, starved, again(500)];
  }),
];

t.test('what follows an exit', async (t) => {
  for (const [name, change, expected] of decisions) t.match(decide(change), expected, name);
  t.same(restart.recentDeaths(spread, 60_001, 60_000), spread.slice(1));
});

t.test('which exits are expected, and which are for want of resources', async (t) => {
  for (const [rules, how, expected] of [
    [off, handled, true],
    [listed, handled, true],
    [policy, handled, false],
    [listed, crashed, false],
    [listed, crash, true],
    [listed, exitOf(exit(7)), false],
    [listed, exitOf(killedBy('SIGKILL')), false],
    [off, done, true],
    [off, crash, false],
    [policy, done, false],
  ]) {
    t.equal(restart.isExpectedExit(rules, how), expected, JSON.stringify([rules, how]));
  }
  for (const error of SHORTAGES) t.ok(restart.isResourceShortage(refused(error)), error);
  for (const how of [refused('ENOENT'), crash]) t.notOk(restart.isResourceShortage(how));
});

t.test('time of failed starts does not count in the window', async (t) => {
  const nowMs = 130_000;
  const slowStarts = [1, 2, 3, 4, 5].map((nth) => ({ atMs: nth * 26_000, startingMs: 25_000 }));
  t.same(decide({ deaths: slowStarts, nowMs }), { action: 'errored', reason: often(true) });
  const slowPauses = slowStarts.map(({ atMs }) => ({ atMs, startingMs: 1000 }));
  t.same(decide({ deaths: slowPauses, nowMs }), { action: 'restart', delayMs: 200 });
  const [, , ...recent] = slowPauses;
  t.same(restart.recentDeaths(slowPauses, nowMs, 60_000), recent);
  t.same(restart.recentDeaths(slowStarts, nowMs, 3000), slowStarts.slice(2));
  const afterALongLife = [...slowStarts, { atMs: 190_000, startingMs: 0 }];
  t.same(restart.recentDeaths(afterALongLife, 190_000, 60_000), afterALongLife.slice(5));
});

t.test('commandFailure', async (t) => {
  const rows = [
    [{ exit: { ...none, code: 0 } }, null],
    [{ exit: { ...none, code: 0 }, lastLine: 'done' }, null],
    [{ exit: { ...none, code: 3 }, lastLine: 'no luck' }, 'ping exited with code 3: no luck'],
    [{ exit: { ...none, signal: 'SIGTERM' } }, 'ping was killed by SIGTERM'],
    [{ exit: { ...none, error: 'ENOENT' } }, 'ping could not be started (ENOENT)'],
    [{ exit: { ...none, signal: 'SIGKILL' }, excess: 'is late', lastLine: 'x' }, 'ping is late: x'],
    // It ended when it was about to be killed.
    [{ exit: { ...none, code: 0 }, excess: 'did not exit within 5 s' }, /did not exit within/],
  ];
  for (const [outcome, expected] of rows) {
    const failure = commandFailure('ping', { excess: null, lastLine: '', ...outcome });
    t.match(failure, expected, String(expected));
  }
});

const rows = [
  [0, 100, 10_000, 100],
  [1, 100, 10_000, 200],
  [6, 100, 10_000, 6400],
  [7, 100, 10_000, 10_000],
  [5000, 100, 10_000, 10_000],
  [0, 100, 50, 50],
  [5000, 0, 10_000, 0],
];
for (const [earlier, firstMs, maxMs, ms] of rows)
  t.equal(doublingDelay(earlier, firstMs, maxMs), ms, `${firstMs} ms after ${earlier}, ≤ ${maxMs}`);

const event = (app, type, at, slot) => ({ app, type, at, slot });

t.test('they are in order of time, and of arrival where it is the same', async (t) => {
  const arrived = [
    event('api', 'a', 5),
    event('web', 'b', 3),
    event('web', 'c', 5),
    event('x', 'd', 4),
  ];
  const types = arrived.reduce((all, next) => withEvent(all, next), []).map(({ type }) => type);
  t.strictSame(types, ['b', 'd', 'a', 'c']);
});

t.test('whether an event that is sent again is there', async (t) => {
  const kept = [
    { ...event('api', 'worker.exited', 9, 0), pid: 7 },
    { ...event('api', 'worker.online', 12, 0), pid: 8 },
  ];
  const rows = [
    [event('api', 'worker.online', 12, 0), 8, true],
    [event('api', 'worker.online', 12, 1), 8, false],
    [event('api', 'worker.online', 12, 0), 9, false],
    [event('api', 'worker.online', 11, 0), 8, false],
    [event('web', 'worker.online', 12, 0), 8, false],
    [event('api', 'worker.exited', 9, 0), 7, true],
  ];
  for (const [again, pid, expected] of rows)
    t.equal(includesEvent(kept, { ...again, pid }), expected, JSON.stringify(again));
});

t.test('events that primaries send again cost little', async (t) => {
  const kept = Array.from({ length: 500 }, (_, at) => event('api', 'worker.exited', at, 0));
  const begin = performance.now();
  for (let at = 500; at < 5500; at++) includesEvent(kept, event('api', 'worker.exited', at, 0));
  t.ok(
    performance.now() - begin < 1000,
    'as of 10 apps, and meanwhile the daemon does nothing else',
  );
});
