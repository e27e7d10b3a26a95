import t from 'tap';
import { judgeProbes, judgeWithoutDaemon } from '../../src/show/probe-policy.js';
import { exit, said } from '../support/snapshot.js';

const now = 1_700_000_000_000;
const online = { status: 'online', isReady: true };
const health = { status: 'unhealthy', reason: 'HTTP 503' };
const unhealthy = { status: 'online', isReady: false, health };
const blocked = { status: 'blocked', isReady: false, blockedSince: now - 7000 };
const starting = { status: 'starting', isReady: false };
const backoff = { status: 'backoff', isReady: false, reason: exit(1) };
const errored = { status: 'errored', isReady: false, reason: said('crashed 16 times') };
const stopped = { status: 'stopped', isReady: false };
const exited = { status: 'exited', isReady: false, reason: exit(0) };
const unknown = { status: 'unknown', isReady: false };

const appOf = (workers, rest = {}) => ({
  name: 'api',
  status: 'online',
  readyMin: 1,
  hasBeenReady: false,
  workers: workers.map((worker, slot) => ({ slot, ...worker })),
  ...rest,
});
const summary = (apps, isShuttingDown = false) => {
  const { live, ready, startup } = judgeProbes(apps, { isShuttingDown, now });
  return [live, ready, startup].map(({ ok }) => (ok ? 'y' : 'n')).join('');
};

/** live, ready, startup: y or n. */
const rows = [
  ['first start', [appOf([starting, starting])], 'ynn'],
  ['the first of two is ready', [appOf([online, starting])], 'yyy'],
  ['one blocked worker of four', [appOf([online, online, online, blocked])], 'yyy'],
  ['every worker is blocked', [appOf([blocked, blocked])], 'nnn'],
  ['blocked, and its successor starts', [appOf([blocked, starting])], 'ynn'],
  ['blocked, and the others crash', [appOf([blocked, backoff])], 'nnn'],
  ['unhealthy, but its loop turns', [appOf([unhealthy])], 'ynn'],
  ['every worker in backoff', [appOf([backoff, backoff])], 'ynn'],
  ['errored', [appOf([errored, errored])], 'ynn'],
  ['the primary is silent', [appOf([unknown], { status: 'unknown', note: '7 is silent' })], 'nnn'],
  ['the primary is launched', [appOf([unknown], { status: 'unknown' })], 'ynn'],
  ['stopped by the user', [appOf([stopped, stopped])], 'ynn'],
  ['one app stopped by the user, one ready', [appOf([stopped]), appOf([online])], 'yyy'],
  ['a task that is done, and a server', [appOf([exited]), appOf([online])], 'yyy'],
  ['one of two apps is not ready', [appOf([online]), appOf([backoff])], 'ynn'],
  ['ready_min: 2', [appOf([online, starting], { readyMin: 2 })], 'ynn'],
  ['ready_min above the number of workers', [appOf([online, online], { readyMin: 9 })], 'yyy'],
  ['ready_min: 50%, rounded up', [appOf([online, starting, backoff], { readyMin: '50%' })], 'ynn'],
  ['ready_min: 50% is there', [appOf([online, online, backoff], { readyMin: '50%' })], 'yyy'],
  ['ready_min: 100%', [appOf([online, online], { readyMin: '100%' })], 'yyy'],
  ['ready_min: 0', [appOf([backoff], { readyMin: 0 })], 'yyy'],
  ['it was ready before', [appOf([backoff], { hasBeenReady: true })], 'yny'],
  ['no app', [], 'ynn'],
];

t.test('the three probes', async (t) => {
  for (const [name, apps, expected] of rows) t.equal(summary(apps), expected, name);
});

t.test('jobs make a home ready, but not an app that somebody stopped', async (t) => {
  const waiting = { status: 'waiting', isReady: false };
  const job = appOf([waiting], { status: 'waiting', isOnDemand: true });
  const judge = (apps) => summary([job, ...apps]);
  t.equal(summary([{ ...job, status: 'stopped' }]), 'ynn', 'a job that somebody stopped');
  t.equal(judge([]), 'yyy', 'only jobs');
  t.equal(judge([appOf([exited])]), 'yyy', 'and a task that is done');
  t.equal(judge([appOf([stopped])]), 'ynn', 'and a stopped app');
  t.equal(judge([appOf([stopped]), appOf([exited])]), 'ynn', 'and a stopped app and a task');
  t.equal(judge([appOf([stopped]), appOf([online])]), 'yyy', 'and an app that is ready');
});

t.test('while it shuts down it is not ready, and lives until the end', async (t) => {
  t.equal(summary([appOf([online], { hasBeenReady: true })], true), 'yny');
  t.equal(summary([appOf([blocked], { hasBeenReady: true })], true), 'yny');
});

t.test('reasons name the app and the first workers', async (t) => {
  const api = appOf(Array(4).fill(blocked), { readyMin: 2 });
  const { live, ready } = judgeProbes([api, appOf([], { name: 'none' })], { now });
  const why = [0, 1, 2].map((slot) => `worker ${slot}: blocked 7s`).join(', ');
  t.same(live.reasons, [{ app: 'api', reason: `no worker answers (${why})` }]);
  t.same(ready.reasons, [{ app: 'api', reason: `0 of 4 workers ready, 2 needed (${why})` }]);
});

t.test('a worker that is online is not ready for its health check', async (t) => {
  const early = { ...unhealthy, health: { status: 'starting' } };
  const { ready } = judgeProbes([appOf([unhealthy, early])], { now });
  const why = 'worker 0: unhealthy, HTTP 503, worker 1: starting, not checked yet';
  t.equal(ready.reasons[0].reason, `0 of 2 workers ready, 1 needed (${why})`);
});

t.test('without a daemon', async (t) => {
  const verdicts = judgeProbes([appOf([online], { hasBeenReady: true })], { now });
  const judge = (last, rest = {}) =>
    judgeWithoutDaemon({ isNeeded: true, isServing: true, last, reason: 'gone', ...rest });
  t.same(judge({ verdicts, ageMs: 9000 }), verdicts, 'what it said last');
  const no = { ok: false, reasons: [{ app: null, reason: 'gone' }] };
  for (const last of [{ verdicts, ageMs: 11_000 }, null]) {
    t.match(judge(last), { live: { ok: true }, ready: no, startup: no });
  }
  const last = { verdicts, ageMs: 1000 };
  t.match(judge(last, { isServing: false }), { live: no, ready: no }, 'nothing runs');
  const none = { isServing: false, isNeeded: false };
  t.match(judge(last, none), { live: { ok: true }, ready: no }, 'nothing should run');
});
