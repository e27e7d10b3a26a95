import t from 'tap';
import { LATENCY_BOUNDS_MS } from '../../../src/shared/latency.js';
import { vitalsBetween } from '../../../src/daemon/queries/telemetry.js';

/** @param {Record<number, number>} [counts] by bound */
function counted(counts = {}) {
  return { counts: [...LATENCY_BOUNDS_MS, Infinity].map((bound) => counts[bound] ?? 0), sumMs: 0 };
}

/** @param {object} [change] */
function report(change = {}) {
  const lastMinute = counted().counts;
  const counts = { requests: 0, errors: 0, latency: counted(), lastMinute, slowestMs: 0 };
  const loop = { atMs: 1000, activeMs: 100, idleMs: 900, delay: { ...counted(), maxMs: 0 } };
  return { ...loop, heapUsed: 5, heapTotal: 9, connections: 2, ...counts, ...change };
}

t.test('rates come from two reports', async (t) => {
  const after = {
    atMs: 3000,
    activeMs: 600,
    idleMs: 2400,
    heapUsed: 6,
    connections: 3,
    requests: 20,
    errors: 1,
    lastMinute: counted({ 10: 20 }).counts,
    slowestMs: 10,
    delay: { ...counted({ 0.1: 2 }), maxMs: 0.12345 },
  };
  t.strictSame(vitalsBetween(report(), report(after)), {
    elu: 0.25,
    eventLoopDelayMs: { p50: 0.05, p99: 0.099, max: 0.123 },
    heapUsed: 6,
    heapTotal: 9,
    connections: 3,
    requestsPerSecond: 10,
    errorsPerSecond: 0.5,
    latencyMs: { p50: 8.5, p99: 9.97 },
  });
});

t.test('one report gives no rates', async (t) => {
  t.match(vitalsBetween(report(), report()), {
    elu: null,
    requestsPerSecond: null,
    errorsPerSecond: null,
    latencyMs: null,
    heapUsed: 5,
    connections: 2,
  });
});

t.test('a worker without requests has no latency', async (t) => {
  t.match(vitalsBetween(report(), report({ atMs: 2000 })), {
    requestsPerSecond: 0,
    latencyMs: null,
  });
});

t.test('one slow request took no longer than it did', async (t) => {
  const { counts: lastMinute } = counted({ 30_000: 1 });
  const after = report({ atMs: 2000, lastMinute, slowestMs: 20_003.4 });
  t.same(vitalsBetween(report(), after).latencyMs, { p50: 20_003.4, p99: 20_003.4 });
});

t.test('no quantile of the delay exceeds its maximum', async (t) => {
  const delay = (counts, maxMs) => ({ delay: { ...counted(counts), maxMs } });
  const rows = [
    [delay({ 500: 100 }, 329), { p50: 329, p99: 329, max: 329 }],
    [delay({ 500: 100 }, 480), { p50: 400, p99: 480, max: 480 }],
    [delay({ 1: 99, 500: 2 }, 4), { p50: 0.853, p99: 300, max: 300 }],
    [delay({}, 0), null],
  ];
  for (const [after, expected] of rows) {
    const { eventLoopDelayMs } = vitalsBetween(report(), report({ atMs: 2000, ...after }));
    t.same(eventLoopDelayMs, expected);
  }
});
