import t from 'tap';
import { figuresOf, rowsOfApp } from '../../src/show/rows.js';

const idle = { status: 'online', elu: 0.03, eventLoopDelayMs: { p50: 1, p99: 2.9 } };
const blocked = { status: 'unresponsive', blockedSince: 9000 };
const loopOf = (...workers) => {
  const { elu, eventLoopDelayMs } = figuresOf(workers, 21_000);
  return { elu, delay: eventLoopDelayMs?.p99 };
};

t.test('a blocked worker has a busy loop, and so has its app', async (t) => {
  t.same(loopOf(idle), { elu: 0.03, delay: 2.9 });
  t.same(loopOf(blocked), { elu: 1, delay: 12_000 });
  t.same(
    loopOf({ ...blocked, ...idle }),
    { elu: 1, delay: 12_000 },
    'what it last measured is old',
  );
  t.same(loopOf(idle, blocked), { elu: 1, delay: 12_000 });
});

t.test(
  'in a canary, the row of a worker is its own, and that of the app has the old one too',
  async (t) => {
    const old = { pid: 1, cpu: 50, memory: 300, requestsPerSecond: 40 };
    const canary = { slot: 0, status: 'online', cpu: 2, memory: 100, requestsPerSecond: 1 };
    const workers = [
      { ...canary, beside: [old] },
      { ...canary, slot: 1 },
    ];
    const rows = rowsOfApp({ name: 'api', workers }, 0).map(({ key, figures }) => [key, figures]);
    t.match(rows, [
      ['api', { cpu: 54, memory: 500, requestsPerSecond: 42 }],
      ['api:0', { cpu: 2, memory: 100, requestsPerSecond: 1 }],
      ['api:1', { cpu: 2, memory: 100, requestsPerSecond: 1 }],
    ]);
    const [single] = rowsOfApp({ name: 'api', workers: workers.slice(0, 1) }, 0);
    t.match(single, { kind: 'single', figures: { cpu: 52 } }, 'it has no row of its own');
  },
);
