import t from 'tap';
import { appState, appTone, shortenReason, workerState } from '../../src/show/state.js';

const NOW = 1_700_000_000_000;
const reason = 'exited with code 1';
const tired = 'failed 13 times within 1m; the last time it was killed by SIGSEGV';

const stack = { frames: [{ name: 'hash\u001b', origin: 'program' }] };
const workers = [
  [{ status: 'online', reason }, 'online'],
  [{ status: 'online', health: { status: 'unhealthy' } }, 'unhealthy'],
  [{ status: 'backoff', reason, retryAt: NOW + 3001 }, 'backoff 4s: exit 1'],
  [{ status: 'backoff', retryAt: NOW }, 'backoff'],
  [{ status: 'backoff', pid: 7, reason }, 'starting again: exit 1'],
  [{ status: 'backoff', reason: tired, retryAt: NOW + 61_000 }, 'backoff 1m 1s: SIGSEGV'],
  [{ status: 'unresponsive', blockedSince: NOW - 12_900, stack }, 'unresponsive 12s in hash\\x1b'],
  [{ status: 'errored', reason, exitedAt: NOW - 780_000 }, 'errored: exit 1, 13m ago'],
  [{ status: 'errored', reason, cause: 'no \u001b table' }, 'errored: no \\x1b table'],
  [{ status: 'backoff', reason: tired, cause: 'bye', retryAt: NOW }, 'backoff: SIGSEGV'],
  [{ status: 'errored', reason: 'exited with code 0', cause: 'bye' }, 'errored: exit 0'],
  [{ status: 'starting', reason, cause: 'no table' }, 'starting'],
  [{ status: 'errored', reason: 'could not start (ENOENT)' }, 'errored: could not start (ENOENT)'],
  [{ status: 'odd\u001b[2J' }, 'odd\\x1b[2J'],
];

for (const [worker, expected] of workers) {
  const app = { name: 'api', status: 'online', workers: [worker] };
  t.equal(workerState(app, worker, NOW), expected, expected);
}

const reasons = [
  ['exited with code 12', 'exit 12'],
  ['exit code 0 is one of stop_exit_codes', 'exit 0'],
  ['could not listen on 127.0.0.1:3000: in use by pid 7', 'port 3000 in use by pid 7'],
  ['could not listen on [::1]:3000: in use by api', 'port 3000 in use by api'],
  ['could not listen on /run/a.sock: in use by api', '/run/a.sock in use by api'],
  ['could not be started (env_from ./a: it exited with code 4)'],
  ['was killed, its event loop blocked for 12s'],
];

for (const [long, brief = long] of reasons)
  t.equal(shortenReason(long), brief, `${long} → ${brief}`);

const on = (generation = 1) => ({ status: 'online', generation });
const off = { status: 'stopped', generation: 1 };
const bad = { status: 'errored', generation: 1, reason };
const api = { name: 'api', status: 'online', generation: 1 };

const apps = [
  [[on(), bad], {}, '1/2 online'],
  [[on(), { ...on(), health: { status: 'unhealthy' } }], {}, '2 online, 1 unhealthy'],
  [[off, off], { status: 'stopped' }, 'stopped'],
  [[on(2), on()], { busy: 'reload' }, 'reloading 1/2'],
  [[{ ...on(2), beside: [{ pid: 1 }] }, on()], { busy: 'reload' }, 'reloading 0/2'],
  [[on(2), bad], { busy: 'reload' }, 'reloading 1/2, 1/2 online'],
  [[on(), off], { busy: 'restart' }, 'restarting, 1/2 online'],
  [[on(), on()], { logDroppedBytes: 1_234_567 }, '2 online, log: 1.2M lost'],
  // One worker says what it does.
  [[on()], { logDroppedBytes: 900 }, 'online, log: 900B lost'],
  [[on()], { busy: 'reload' }, 'online, reloading'],
  [[], { status: 'stopped' }, 'stopped'],
];

for (const [workers, more, expected] of apps) {
  const app = { ...api, workers, ...more };
  t.equal(appState(app, NOW), expected, expected);
}

t.test('in a reload some workers are new already', async (t) => {
  const app = { ...api, busy: 'reload', workers: [] };
  const canary = { ...on(2), beside: [{ pid: 1 }] };
  t.equal(workerState(app, canary, NOW), 'online, new, beside the old');
  t.equal(workerState(app, on(2), NOW), 'online, new');
  t.equal(workerState(app, on(1), NOW), 'online');
  t.equal(workerState({ ...app, busy: undefined }, on(2), NOW), 'online');
});

t.test('what serves, but not as it should, is amber; red is broken', async (t) => {
  const WAITS = 'degraded, oldest request 5s';
  const counts = { open: 3, answered: 40, errors: 0 };
  const waits = { ...on(), requests: { ...counts, oldestSince: NOW - 5900 }, degraded: 'waits' };
  const silent = { open: 3, answered: 0, errors: 0, unansweredSince: NOW - 59_000 };
  const hangs = { ...waits, requests: { ...silent, oldestSince: NOW - 59_000 } };
  const fails = { ...on(), requests: { ...counts, errors: 40 }, degraded: 'errors' };
  const grows = { ...on(), memoryGrowth: 14 * 1024 * 1024, degraded: 'memory' };
  const failedReplacement = { count: 3, why: 'reached the age of 1m', reason };
  const stuck = { ...on(), degraded: 'replacement', failedReplacement };
  const crashed = { ...on(), recentCrashes: 3 };
  const blocked = { ...on(), lastBlock: { until: NOW - 20_000, ms: 61_000 } };
  const unclear = { ...on(), degraded: 'unknown' };
  const sick = { ...on(), health: { status: 'unhealthy' } };
  const shown = [
    [[{ ...on(), requests: counts }], 'online', 'good'],
    [[unclear], 'unknown, its primary answers late', 'warn'],
    [[unclear, unclear], '2 online, its primary answers late', 'warn'],
    [[waits], WAITS, 'warn'],
    [[{ ...waits, requests: { ...waits.requests, answered: 0 } }], `${WAITS}, 0 answered`, 'warn'],
    [[hangs], 'failing, nothing answered for 59s', 'bad'],
    [
      [hangs, { ...hangs, requests: { ...silent, oldestSince: NOW } }],
      '2 online, nothing answered for 59s',
      'bad',
    ],
    [[hangs, { ...on(), requests: counts }], '2 online, oldest request 59s', 'warn'],
    [[waits, on()], '2 online, oldest request 5s', 'warn'],
    [[on(), fails, on()], '3 online, 5xx 40/40', 'bad'],
    [[fails, { ...on(), requests: counts }], '2 online, 5xx 40/80', 'warn'],
    [[grows, grows], '2 online, memory +28M/min', 'warn'],
    [[stuck], 'degraded, replacement failed 3 times: exited with code 1', 'warn'],
    [[blocked], 'degraded, was blocked for 1m 1s, 20s ago', 'warn'],
    [[on(), blocked], '2 online, was blocked for 1m 1s, 20s ago', 'warn'],
    [[{ ...on(), recentCrashes: 5 }, crashed], '2 online, 8+ crashes in 1m', 'warn'],
    [[{ ...crashed, crashCause: 'no database' }], 'degraded, 3 crashes in 1m: no database', 'warn'],
    [[on(), bad], '1/2 online', 'warn'],
    [[on(), sick], '2 online, 1 unhealthy', 'bad'],
    [[bad, bad], '0/2 online', 'bad'],
  ];
  for (const [workers, text, tone] of shown) {
    const status = workers.includes(bad) ? 'errored' : 'online';
    const app = { ...api, status, workers };
    t.equal(appState(app, NOW), text);
    t.equal(appTone(app, NOW), tone, text);
  }
});

t.test('the end of a run is no crash of a job', async (t) => {
  const job = { nextRunAt: NOW + 5000 };
  for (const status of ['waiting', 'online']) {
    const workers = [{ status, recentCrashes: 1, startedAt: NOW }];
    t.equal(appTone({ ...api, status, job, workers }, NOW), 'good', status);
  }
  const failed = { ...job, lastRun: { ok: false, at: NOW, reason: 'exit 1', durationMs: 1 } };
  const app = { ...api, status: 'waiting', job: failed, workers: [{ status: 'waiting' }] };
  t.equal(appTone(app, NOW), 'bad', 'the last run failed');
});
