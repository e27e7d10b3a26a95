import t from 'tap';
import { sinceOf } from '../../src/show/change.js';
import { helpOf } from '../../src/show/help.js';
import {
  appTone,
  figuresOf,
  rowsOf,
  statusesOf,
  withFigures,
  worstFirst,
} from '../../src/show/rows.js';
import { shortCauseOf } from '../../src/show/reason.js';
import { appState, workerState } from '../../src/show/state.js';
import { exit, exited, inUse, killedBy } from '../support/snapshot.js';

const NOW = 1_700_000_000_000;
const why = exited(1);
const final = { failures: 13, windowMs: 60_000, isLonger: false };
const tired = { reason: { ...killedBy('SIGSEGV'), final } };

const stack = { frames: [{ name: 'hash\u001b', origin: 'program' }] };
const workers = [
  [{ status: 'online', ...why }, 'online'],
  [{ status: 'online', health: { status: 'unhealthy' } }, 'unhealthy'],
  [{ status: 'backoff', ...why, retryAt: NOW + 3001 }, 'backoff 4s'],
  [{ status: 'backoff', retryAt: NOW }, 'backoff'],
  [{ status: 'backoff', ...tired, retryAt: NOW + 61_000 }, 'backoff 1m 1s'],
  [{ status: 'blocked', blockedSince: NOW - 12_900, stack }, 'blocked 12s'],
  [{ status: 'errored', ...why, exitedAt: NOW - 780_000 }, 'errored 13m ago'],
  [{ status: 'backoff', ...why, pid: 4000 }, 'starting again'],
  [{ status: 'starting', ...why, cause: 'no table' }, 'starting'],
  [{ status: 'odd\u001b[2J' }, 'odd\\x1b[2J'],
];

for (const [worker, expected] of workers) {
  const app = { name: 'api', status: 'online', workers: [worker] };
  t.equal(workerState(app, worker, NOW), expected, expected);
}

const left = { ...inUse({ holder: 'api' }).reason, address: '/run/a.sock', port: undefined };
const reasons = [
  [exited(12), 'exit 12'],
  [{ reason: exit(0, { final: 'stop_exit_codes' }) }, 'exit 0'],
  [inUse({ holder: 'pid 7', address: '::1' }), 'port 3000 in use by pid 7'],
  [{ reason: left }, '/run/a.sock in use by api'],
  [{ reason: { kind: 'start', error: 'env_from ./a' } }, 'could not be started (env_from ./a)'],
  [{ reason: { kind: 'hang', ms: 12_000 } }, 'event loop blocked for 12s'],
  [{ ...why, cause: 'no \u001b table' }, 'no \\x1b table'],
  [{ ...tired, cause: 'bye' }, 'SIGSEGV'],
  [{ ...exited(0), cause: 'bye' }, 'exit 0'],
  [{}, ''],
];

for (const [worker, brief] of reasons) t.equal(shortCauseOf(worker), brief, brief);

const on = (generation = 1) => ({ status: 'online', generation });
const off = { status: 'stopped', generation: 1 };
const bad = { status: 'errored', generation: 1, ...why };
const api = { name: 'api', status: 'online', generation: 1 };

const apps = [
  [[on(), bad], {}, '1/2 online'],
  [[on(), { ...on(), health: { status: 'unhealthy' } }], {}, '2 online, 1 unhealthy'],
  [[off, off], { status: 'stopped' }, 'stopped'],
  [[on(2), on()], { busy: 'reload' }, 'reloading 1/2'],
  [[{ ...on(2), beside: [{ pid: 1 }] }, on()], { busy: 'reload' }, 'reloading 0/2'],
  [[on(2), bad], { busy: 'reload' }, 'reloading 1/2, 1/2 online'],
  [[on(2), on(), { ...on(2), status: 'spare' }], { busy: 'reload', instances: 2 }, 'reloading 1/2'],
  [[on(), off], { busy: 'restart' }, 'restarting, 1/2 online'],
  [[on(), on()], { logDroppedBytes: 1_234_567 }, '2 online, log: 1.2M lost'],
  // One worker says what it does.
  [[on()], { logDroppedBytes: 900 }, 'online, log: 900B lost'],
  [[on()], { busy: 'reload' }, 'online, reloading'],
  [[], { status: 'stopped' }, 'stopped'],
];

for (const [workers, more, expected] of apps) {
  const app = { ...api, instances: workers.length, workers, ...more };
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
  const begun = { ...hangs, requests: { ...silent, oldestSince: NOW } };
  const fails = { ...on(), requests: { ...counts, errors: 40 }, degraded: 'errors' };
  const grows = { ...on(), memoryGrowth: 14 * 1024 * 1024, degraded: 'memory' };
  const failedReplacement = { count: 3, why: 'reached the age of 1m', ...why };
  const stuck = { ...on(), degraded: 'replacement', failedReplacement };
  const crash = { at: NOW - 12_000, reason: exit(1) };
  const crashed = { ...on(), crash };
  const killed = { ...crash, reason: killedBy('SIGKILL') };
  const unclear = { ...on(), degraded: 'unknown' };
  const sick = { ...on(), health: { status: 'unhealthy' } };
  const shown = [
    [[{ ...on(), requests: counts }], 'online', 'good'],
    [[unclear], 'unknown, its primary answers late', 'warn'],
    [[unclear, unclear], '2 online, its primary answers late', 'warn'],
    [[waits], WAITS, 'warn'],
    [[{ ...waits, requests: { ...waits.requests, answered: 0 } }], `${WAITS}, 0 answered`, 'warn'],
    [[hangs], 'failing, nothing answered for 59s', 'bad'],
    [[hangs, begun], '2 online, nothing answered for 59s', 'bad'],
    [[hangs, { ...on(), requests: counts }], '2 online, oldest request 59s', 'warn'],
    [[waits, on()], '2 online, oldest request 5s', 'warn'],
    [[on(), fails, on()], '3 online, 5xx 40/40', 'bad'],
    [[fails, { ...on(), requests: counts }], '2 online, 5xx 40/80', 'warn'],
    [[{ ...fails, requests: {} }], 'degraded, 5xx, then idle', 'warn'],
    [[grows, grows], '2 online, memory +28M/min', 'warn'],
    [[stuck], 'degraded, replacement failed 3 times: exited with code 1', 'warn'],
    [
      [{ ...on(), crash: { ...crash, at: NOW - 9000 } }, crashed],
      '2 online, crashed 9s ago',
      'warn',
    ],
    [[{ ...crashed, crash: { ...crash, cause: 'no db' } }], 'degraded, crashed 12s ago', 'warn'],
    [[{ ...on(), crash: killed }], 'online', 'good'],
    [[on(), bad], '1/2 online', 'warn'],
    [[on(), sick], '2 online, 1 unhealthy', 'bad'],
    [[bad, bad], 'errored', 'bad'],
    [[{ ...bad, crash }, bad], 'errored', 'bad'],
  ];
  for (const [workers, text, tone] of shown) {
    const status = workers.includes(bad) ? 'errored' : 'online';
    const app = { ...api, status, instances: workers.length, workers };
    t.equal(appState(app, NOW), text);
    t.equal(appTone(app, NOW), tone, text);
  }
});

t.test('the end of a run is no crash of a job', async (t) => {
  const job = { nextRunAt: NOW + 5000 };
  for (const status of ['waiting', 'online']) {
    const workers = [{ status, crash: { at: NOW }, startedAt: NOW }];
    t.equal(appTone({ ...api, status, job, workers }, NOW), 'good', status);
  }
  const failed = { ...job, lastRun: { ok: false, at: NOW, reason: exit(1), durationMs: 1 } };
  const app = { ...api, status: 'waiting', job: failed, workers: [{ status: 'waiting' }] };
  t.equal(appTone(app, NOW), 'bad', 'the last run failed');
});

const serving = { status: 'online' };
const app = (name, status, workers) => ({ name, status, workers });
const crashed = { slot: 1, status: 'backoff', ...exited(1), cause: 'no database' };
const hung = { slot: 2, status: 'blocked', blockedSince: 9000 };

t.test('the change that may be the cause', async (t) => {
  const differences = [{ key: 'env.DB', from: 'a', to: 'b' }];
  const given = { by: { user: 'alice', role: 'cli' }, isApplied: true, differences, omitted: 0 };
  const change = { at: NOW - 16_000, action: 'reload', ...given };
  const text = 'since reload 16s ago by alice: env.DB "a" → "b"';
  const [bad, well] = [{ troubleSince: NOW - 15_000 }, { requests: { answered: 9 } }];
  const scaled = { ...change, at: NOW, action: 'scale', differences: [{ key: 'instances' }] };
  const rows = [
    [[change], [bad], text],
    [[{ ...change, isApplied: false }, change], [bad], text],
    [[{ ...change, differences: [] }], [bad], 'since reload 16s ago by alice'],
    [[{ ...change, action: 'start', differences: [] }], [bad]],
    [[scaled, change], [bad], text],
    [[change], [{ blockedSince: NOW - 14_000 }, well, bad], text],
    [[change], [bad, well]],
    [[change], [{ ...bad, troubleSince: NOW - 17_000 }]],
    [[{ ...change, at: NOW - 76_000 }], [bad]],
  ];
  for (const [changes, workers, ...expected] of rows)
    t.same(sinceOf({ changes, workers }, NOW), expected);
});

t.test('what serves nothing first, then what is broken, then what serves badly', async (t) => {
  const well = (name) => app(name, 'online', [serving]);
  const failing = { ...serving, degraded: 'errors', requests: { answered: 9, errors: 9 } };
  const apps = [
    well('a'),
    app('b', 'starting', [{ slot: 0, status: 'starting' }]),
    app('g', 'online', [serving, crashed]),
    app('c', 'backoff', [crashed]),
    well('d'),
    app('e', 'online', [failing, hung]),
    app('f', 'starting', [{ slot: 0, status: 'starting', crash: { at: NOW } }]),
  ];
  const namesOf = (shown) => worstFirst(shown, NOW).map(({ name }) => name);
  t.equal(namesOf(apps).join(''), 'cfegbad', 'in each phase of a crash loop');
  const busy = apps.map((each) => ({ ...each, busy: 'reload' }));
  t.equal(namesOf(busy).join(''), 'cfegabd', 'a command is no trouble');
});

const healthy = { slot: 0, ...serving };
const errored = { ...crashed, status: 'errored' };
const appOf = (...workers) => ({ name: 'api', mode: 'cluster', workers });
const [LOGS, PORT] = ['logs api', 'reload api --set-env PORT=<port>'];
const lacking = { ...crashed, cause: "Cannot find module 'express'" };
const AFTER_HANG = ['restart api'];

const helpRows = [
  [appOf(healthy), []],
  [appOf(healthy, crashed), [LOGS]],
  [appOf({ ...errored, cause: undefined }), ['start api']],
  [appOf({ ...crashed, ...exited(0) }), ['restart api --no-autorestart', LOGS]],
  [appOf({ ...crashed, ...inUse({ holder: 'web' }) }), [PORT]],
  [appOf({ ...errored, ...inUse({ port: 80, address: '::' }) }), [PORT, 'start api']],
  [{ ...appOf(hung), spec: { hangTimeoutMs: null } }, AFTER_HANG],
  [appOf({ ...healthy, degraded: 'waits' }), ['why api', 'restart api']],
  [{ ...appOf(lacking), spec: { cwd: '/srv/my app' } }, ["cd '/srv/my app' && npm install", LOGS]],
  [appOf({ ...healthy, degraded: 'replacement' }), [LOGS]],
];
for (const [shown, commands] of helpRows) {
  const found = helpOf(shown, NOW).map(([command]) => command.replace('nodecluster ', ''));
  t.same(found, commands, `what helps: ${commands.join(', ')}`);
}

t.test('it starts only once the port is free', async (t) => {
  const help = helpOf(appOf({ ...errored, ...inUse({ holder: 'pid 7 (node a.cjs)' }) }), NOW);
  t.same(help.at(-1), ['nodecluster start api', 'once port 3000 is free']);
});

const idle = { status: 'online', elu: 0.03, eventLoopDelayMs: { p50: 1, p99: 2.9 } };
const blocked = { status: 'blocked', blockedSince: 9000 };
const loopOf = (...workers) => {
  const { elu, eventLoopDelayMs } = figuresOf(workers, 21_000);
  return { elu, delay: eventLoopDelayMs?.p99 };
};

t.test('a blocked worker has a busy loop, and so has its app', async (t) => {
  t.same(loopOf(idle), { elu: 0.03, delay: 2.9 });
  const busy = { elu: 1, delay: 12_000 };
  t.same(loopOf(blocked), busy);
  t.same(loopOf({ ...blocked, ...idle }), busy, 'what it last measured is old');
  t.same(loopOf(idle, blocked), busy);
});

t.test('in a canary, the row of the app has the old worker too', async (t) => {
  const old = { pid: 1, cpu: 50, memory: 300, requestsPerSecond: 40 };
  const figures = { cpu: 2, memory: 100, requestsPerSecond: 1 };
  const [first, second] = [0, 1].map((slot) => ({ slot, status: 'online', ...figures }));
  const workers = [{ ...first, beside: [old] }, second];
  const measured = (app) => rowsOf({ name: 'api', ...app }).map((row) => withFigures(row, 0));
  const rows = measured({ workers }).map(({ key, figures }) => [key, figures]);
  t.match(rows, [
    ['api', { cpu: 54, memory: 500, requestsPerSecond: 42 }],
    ['api:0', figures],
    ['api:1', figures],
  ]);
  const [single] = measured({ workers: workers.slice(0, 1) });
  t.match(single, { kind: 'single', figures: { cpu: 52 } }, 'it has no row of its own');
});

const errors = { ...serving, degraded: 'errors', requests: { open: 0, answered: 40, errors: 10 } };
const sick = { ...serving, health: { status: 'unhealthy' } };
const blockedNow = { status: 'blocked' };
const asked = { open: 2, answered: 0, errors: 0, unansweredSince: NOW - 60_000 };
const waits = { ...serving, degraded: 'waits', requests: { ...asked, oldestSince: NOW - 60_000 } };

const rows = [
  [[], ''],
  [[serving, serving], '2 online good'],
  [[serving, { status: 'waiting' }], '1 online good, 1 waiting good'],
  [[serving, { ...serving, crash: { at: NOW } }], '1 degraded warn, 1 online good'],
  [[errors, serving, { status: 'errored' }], '1 errored bad, 1 degraded warn, 1 online good'],
  [[waits, { status: 'backoff', pid: 4 }], '1 failing bad, 1 backoff bad'],
  [
    [serving, { status: 'backoff' }, errors, sick, blockedNow],
    '1 unhealthy bad, 1 blocked bad, 1 backoff bad, 1 degraded warn, 1 online good',
  ],
];
for (const [workers, text] of rows) {
  const found = statusesOf(rowsOf({ name: 'api', status: 'online', workers }), NOW);
  const shown = found.map(({ status, count, tone }) => `${count} ${status} ${tone}`);
  t.equal(shown.join(', '), text);
}
