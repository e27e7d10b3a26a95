import t from 'tap';
import { figuresOf, rowsOfApp, rowsOf, statusesOf } from '../../src/show/rows.js';

const idle = { status: 'online', elu: 0.03, eventLoopDelayMs: { p50: 1, p99: 2.9 } };
const blocked = { status: 'unresponsive', blockedSince: 9000 };
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
  const rows = rowsOfApp({ name: 'api', workers }, 0).map(({ key, figures }) => [key, figures]);
  t.match(rows, [
    ['api', { cpu: 54, memory: 500, requestsPerSecond: 42 }],
    ['api:0', figures],
    ['api:1', figures],
  ]);
  const [single] = rowsOfApp({ name: 'api', workers: workers.slice(0, 1) }, 0);
  t.match(single, { kind: 'single', figures: { cpu: 52 } }, 'it has no row of its own');
});

const NOW = 1_700_000_000_000;
const on = { status: 'online' };
const errors = { ...on, degraded: 'errors', requests: { open: 0, answered: 40, errors: 10 } };
const sick = { ...on, health: { status: 'unhealthy' } };
const hung = { status: 'unresponsive' };
const asked = { open: 2, answered: 0, errors: 0, unansweredSince: NOW - 60_000 };
const waits = { ...on, degraded: 'waits', requests: { ...asked, oldestSince: NOW - 60_000 } };

const rows = [
  [[], ''],
  [[on, on], '2 online good'],
  [[on, { status: 'waiting' }], '1 online good, 1 waiting good'],
  [[on, { ...on, recentCrashes: 1 }], '1 degraded warn, 1 online good'],
  [[errors, on, { status: 'errored' }], '1 errored bad, 1 degraded warn, 1 online good'],
  [[waits, { status: 'backoff', pid: 4 }], '1 failing bad, 1 starting again bad'],
  [
    [on, { status: 'backoff' }, errors, sick, hung],
    '1 unhealthy bad, 1 unresponsive bad, 1 backoff bad, 1 degraded warn, 1 online good',
  ],
];
for (const [workers, text] of rows) {
  const found = statusesOf(rowsOf({ name: 'api', status: 'online', workers }), NOW);
  const shown = found.map(({ status, count, tone }) => `${count} ${status} ${tone}`);
  t.equal(shown.join(', '), text);
}
