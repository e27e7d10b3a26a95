/** What a primary reports is used only as far as it is named, possible and not too large. */
import t from 'tap';
import {
  checkedEvent,
  checkedResult,
  checkedSnapshot,
} from '../../../../src/daemon/primaries/connection/check-report.js';

const invalid = { code: 'E_PRIMARY_REPORT' };

t.test('an event names no other app, and nothing that is not known', async (t) => {
  const event = { type: 'worker.exited', at: 1, slot: 0, reason: 'x' };
  const forged = { ...event, app: 'other', namespace: 'other', id: 7, padding: 'x' };
  t.same(checkedEvent(forged, 'api'), event);
  for (const wrong of [{ at: 1e300 }, { at: -1 }, { data: 'x'.repeat(200_000) }, { slot: '0' }]) {
    t.throws(() => checkedEvent({ ...event, ...wrong }, 'api'), invalid);
  }
});

t.test('a worker listens on addresses of a possible length and number', async (t) => {
  const slot = { slot: 0, status: 'online', pid: 1, generation: 1, restarts: 0 };
  const of = (/** @type {unknown[]} */ listening) => {
    const slots = [{ ...slot, listening }];
    return { name: 'api', generation: 1, mode: 'fork', slots, spec: {} };
  };
  const at = (/** @type {string} */ address) => ({ address, protocol: null });
  t.ok(checkedSnapshot(of([at('*:80')]), 'api'));
  t.throws(() => checkedSnapshot(of([at('x'.repeat(5000))]), 'api'), invalid);
  t.throws(() => checkedSnapshot(of(Array(1001).fill(at('*:80'))), 'api'), invalid);
});

t.test('figures are numbers', async (t) => {
  const histogram = { counts: [1], sumMs: 1, maxMs: 1 };
  const report = { atMs: 1, delay: histogram, latency: histogram, heapUsed: 1, connections: 1 };
  const reply = (/** @type {object} */ wrong) => ({
    workers: [{ pid: 1, report: { ...report, ...wrong } }],
  });
  t.ok(checkedResult('telemetry', reply({}), 'api'));
  for (const wrong of [{ heapUsed: { a: 1 } }, { connections: 'x' }, { delay: { counts: null } }]) {
    t.throws(() => checkedResult('telemetry', reply(wrong), 'api'), invalid);
  }
});

t.test('metrics of programs are those that Prometheus accepts', async (t) => {
  const family = { name: 'a_total', type: 'counter', help: '', samples: [['', { b: '' }, 1]] };
  const reply = { families: [family], dropped: 0, late: 0, failure: null };
  t.ok(checkedResult('program-metrics', reply, 'api'));
  for (const wrong of [
    { families: [{ ...family, name: 'nodecluster_daemon_up' }] },
    { families: [{ ...family, samples: [['', { 'b"': '' }, 1]] }] },
    { families: undefined },
    { dropped: -1 },
    { failure: 1 },
  ]) {
    t.throws(() => checkedResult('program-metrics', { ...reply, ...wrong }, 'api'), invalid);
  }
});

t.test('what the daemon computes with or hands to the system is whole', async (t) => {
  const slot = { slot: 0, status: 'online', pid: 1, generation: 1, restarts: 0 };
  const snapshot = { name: 'api', generation: 1, mode: 'fork', slots: [slot], spec: {} };
  const withExit = (/** @type {object} */ exit) => ({
    slots: [{ ...slot, lastExit: { reason: 'x', uptimeMs: 1, at: 1, ...exit } }],
  });
  const fault = { code: 'EADDRINUSE', address: null, port: 80 };
  const right = [{ spec: { killSignal: 'auto' } }, { spec: { killSignal: 'SIGINT' } }];
  for (const part of [...right, withExit({ fault })]) {
    t.ok(checkedSnapshot({ ...snapshot, ...part }, 'api'));
  }
  const wrong = [{ spec: { killSignal: 'SIGFOO' } }, { spec: { holdTimeoutMs: {} } }];
  for (const part of [...wrong, withExit({ fault: { code: 'EADDRINUSE' } })]) {
    t.throws(() => checkedSnapshot({ ...snapshot, ...part }, 'api'), invalid);
  }
});
