import t from 'tap';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { EventHub } from '../../src/daemon/events.js';
import { events, watch } from '../../src/daemon/queries/live.js';
import { Metrics, vitalsBetween } from '../../src/daemon/queries/telemetry.js';
import { LATENCY_BOUNDS_MS } from '../../src/shared/latency.js';
import { until as untilTrue } from '../support/until.js';

/** A client that watches `states` one after the other, and reads while `isReading`. */
function watching(states) {
  const client = { isReading: true, frames: [], looks: 0, questions: 0, close() {} };
  const watched = async () => states[Math.min(client.looks++, states.length - 1)];
  const ctx = {
    unreadBytes: () => (client.questions++, client.isReading ? 0 : 1),
    onClose: (listener) => (client.close = listener),
    notify: (_kind, frame) => client.frames.push(frame),
  };
  const ended = watch({ watched }, {}, ctx);
  return { client, ended };
}

t.test('a frame says what has changed since the last one that its client has read', async (t) => {
  const same = { deep: [1] };
  const { client, ended } = watching([{ same, count: 1 }, { same, count: 2 }, { same }]);
  await untilTrue(() => client.frames.length > 0, 'the first frame');
  client.isReading = false;
  const { questions } = client;
  await untilTrue(() => client.questions > questions, 'it to be skipped');
  t.equal(client.looks, 1, 'nothing is looked at for a client that does not read');
  client.isReading = true;
  await untilTrue(() => client.frames.length > 2, 'the next frames');
  t.match(client.frames, [
    { at: Number, patch: { same, count: 1 } },
    { patch: { count: 2 } },
    { patch: { count: null } },
  ]);
  t.same(Object.keys(client.frames[1].patch), ['count']);
  client.close();
  t.equal(await ended, null);
  t.equal(client.looks, 3, 'nor when it has disconnected');
});

t.test('a client that does not read misses events, is told so and stays connected', async (t) => {
  const hub = new EventHub();
  const app = { name: 'api', namespace: 'default', slots: [0], ids: {} };
  let unread = 0;
  const received = [];
  const ctx = {
    unreadBytes: () => unread,
    onClose() {},
    notify(_kind, event) {
      unread += JSON.stringify(event).length;
      received.push(event);
    },
  };
  for (const at of [1, 2, 3, 4])
    hub.publish(app, { type: 'x', at, lastLines: ['y'.repeat(700_000)] });
  void events({ events: hub, table: { all: () => [] } }, { since: 0 }, ctx);
  t.match(received, [{ at: 1 }, { at: 2 }, {}], 'also kept ones');
  t.equal(received.length, 3);
  unread = 0;
  hub.publish(app, { type: 'x', at: 5 });
  t.match(received.slice(3), [{ type: 'missed', at: 5, count: 2 }, { at: 5 }]);
});

const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

t.test('usage is current, not since the last request', async (t) => {
  const looks = [];
  const metrics = new Metrics(async (pids) => {
    looks.push(pids);
    return { 1: { cpu: looks.length === 1 ? 90 : 4.04, memory: 5, ctime: 60 } };
  });
  const both = await Promise.all([metrics.sample([1, 2]), metrics.sample([1])]);
  const usage = { cpu: 4, memory: 5, ctime: 60 };
  const found = both.map((usages) => [...usages]);
  t.strictSame(found, [[[1, usage]], [[1, usage]]]);
  const twice = [1, 2];
  t.strictSame(looks, [twice, twice], 'two samples, each in one pass, shared');
});

/** Of a script that gets the module of the measurements. */
function outputOf(script, options = {}) {
  const module = fileURLToPath(new URL('../../src/daemon/queries/telemetry.js', import.meta.url));
  const args = ['--input-type=module', '--eval', script, module];
  const ended = spawnSync(process.execPath, args, { encoding: 'utf8', ...options });
  return { stdout: ended.stdout, stderr: ended.stderr };
}

t.test('no descriptor is kept of what was looked at', LINUX, async (t) => {
  // Of a process of its own: in this one, other tests may look at processes.
  const script = `const { readdirSync, readlinkSync } = await import('node:fs');
    const { Metrics } = await import(process.argv[1]);
    const pids = [process.pid, process.ppid];
    const looks = await Promise.all([1, 2].map(() => new Metrics().sample(pids)));
    looks.push(await new Metrics().sample(pids));
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try { return readlinkSync('/proc/self/fd/' + fd); } catch { return ''; }
    });
    console.log(looks.map(({ size }) => size).join(), links.filter((link) => link.endsWith('/stat')).length);`;
  t.same(outputOf(script), { stdout: '2,2,2 0\n', stderr: '' });
});

t.test('an image without getconf', async (t) => {
  const script = `const { Metrics } = await import(process.argv[1]);
    const usages = await new Metrics().sample([process.pid]);
    console.log(usages.size, process.env.PIDUSAGE_SILENT);`;
  const env = { PATH: t.testdir() };
  t.same(outputOf(script, { env }), { stdout: '1 undefined\n', stderr: '' });
});

function counted(counts = {}) {
  return { counts: [...LATENCY_BOUNDS_MS, Infinity].map((bound) => counts[bound] ?? 0), sumMs: 0 };
}

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

t.test('what is not known', async (t) => {
  const rates = { elu: null, requestsPerSecond: null, errorsPerSecond: null, latencyMs: null };
  const { counts: lastMinute } = counted({ 30_000: 1 });
  const slow = { atMs: 2000, lastMinute, slowestMs: 20_003.4 };
  for (const [what, after, expected] of [
    ['one report gives no rates', {}, { ...rates, heapUsed: 5, connections: 2 }],
    ['no request, no latency', { atMs: 2000 }, { requestsPerSecond: 0, latencyMs: null }],
    ['none took longer than it did', slow, { latencyMs: { p50: 20_003.4, p99: 20_003.4 } }],
  ]) {
    t.match(vitalsBetween(report(), report(after)), expected, what);
  }
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
