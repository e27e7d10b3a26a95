import t from 'tap';
import {
  NEW_HEALTH,
  afterCheck,
  failsEverywhere,
  judgeHealth,
  nextCheckMs,
} from '../../../src/features/health/decide.js';

const rule = { intervalMs: 10_000, failures: 3, startPeriodMs: 30_000 };
const DOWN = 'GET /health: 503';

/**
 * The health after checks that begin one second after each other, at this uptime.
 * @param checks `+` for a success, `-` for a failure
 */
function healthAfter(checks, uptimeMs = 60_000) {
  return [...checks].reduce((health, check, index) => {
    const failure = check === '+' ? null : DOWN;
    return afterCheck(health, { failure, nowMs: index * 1000, uptimeMs }, rule);
  }, NEW_HEALTH);
}

const rows = [
  ['a new worker is starting', '', { status: 'starting', reason: null }],
  [
    'failures within start_period do not count',
    '-----',
    { status: 'starting', failures: 0 },
    29_999,
  ],
  ['their reason is known', '-', { reason: DOWN, failingSinceMs: 0 }, 0],
  ['the first success ends it', '--+', { status: 'healthy', reason: null, failures: 0 }, 0],
  ['even within start_period', '+---', { status: 'unhealthy', failures: 3 }, 0],
  ['failures after start_period count', '---', { status: 'unhealthy', failures: 3 }],
  ['too few leave it healthy', '+--', { status: 'healthy', failures: 2, reason: DOWN }],
  [
    'a success resets the count',
    '+--+--',
    { status: 'healthy', failures: 2, failingSinceMs: 4000 },
  ],
  ['enough in a row', '+---', { status: 'unhealthy', failures: 3, failingSinceMs: 1000 }],
  ['one success makes it healthy', '+----+', { status: 'healthy', succeededMs: 5000 }],
];

for (const [name, checks, expected, uptimeMs] of rows) {
  t.test(name, async (t) => t.match(healthAfter(checks, uptimeMs), expected));
}

t.test('a worker is checked often until its first success', async (t) => {
  t.equal(nextCheckMs(NEW_HEALTH, rule), 1000);
  t.equal(nextCheckMs(NEW_HEALTH, { ...rule, intervalMs: 200 }), 200);
  t.equal(nextCheckMs(healthAfter('---'), rule), 1000);
  t.equal(nextCheckMs(healthAfter('+'), rule), 10_000);
  t.equal(nextCheckMs(healthAfter('+---'), rule), 10_000);
});

/** The fourth: whether it fails everywhere; the fifth: slots. */
const apps = [
  ['all healthy', ['+++++', '+++++'], []],
  ['one of two', ['+----', '+++++'], [0]],
  ['two of four', ['+----', '+++++', '+----', '++++-'], [0, 2]],
  ['the others have not been checked since', ['+----', '+'], []],
  ['the others fail too, but not often enough yet', ['+----', '+--'], []],
  ['the others are new', ['+----', ''], [], true],
  ['the others have recovered, this one may have too', ['+---', '+---+'], []],
  ['the others have recovered, this one has not', ['+----', '+--+'], [0]],
  ['every one', ['+----', '+----'], [], true],
  ['every one, also a new one', ['+----', '---'], [], true],
  ['the only one', ['+----'], [0]],
  ['the only one, before its first success', ['----'], []],
  ['one that has never passed', ['-----', '+++++'], [0]],
  ['none runs', [], []],
  ['the only one that runs now, of two', ['+----'], [], true, 2],
];

for (const [name, checks, due, isEverywhere = false, count = checks.length] of apps) {
  t.test(`which are replaced: ${name}`, async (t) => {
    const workers = checks.map((each, slot) => ({ slot, health: healthAfter(each), isDue: false }));
    t.same(
      judgeHealth(workers, count).map(({ slot }) => slot),
      due,
    );
    const all = workers.map(({ health }) => health);
    t.equal(failsEverywhere(all, count), isEverywhere);
  });
}

t.test('what is due stays due while another one is healthy', async (t) => {
  const sick = { slot: 0, health: healthAfter('+---'), isDue: true };
  const other = (checks) => ({ slot: 1, health: healthAfter(checks), isDue: false });
  t.same(judgeHealth([sick, other('+++++')], 2), [sick]);
  t.same(judgeHealth([sick, other('++++-')], 2), []);
});
