import t from 'tap';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { listApps } from '../../src/daemon/queries/apps.js';
import { LiveView } from '../../src/daemon/queries/live.js';
import { Metrics, vitalsBetween } from '../../src/daemon/queries/telemetry.js';
import { LATENCY_BOUNDS_MS } from '../../src/shared/latency.js';
import { figuresOf } from '../../src/show/rows.js';
import { SLOT } from '../support/snapshot.js';
import { until as untilTrue } from '../support/until.js';

t.test('a worker that was started during the measurement has its figures too', async (t) => {
  const slot = { ...SLOT, health: null, beside: [] };
  const snapshot = { slots: [{ ...slot, pid: 1 }], connectionsGivenUp: 0, reloads: {} };
  const app = {
    changes: [],
    name: 'web',
    slots: [0],
    ids: { 0: 0 },
    generation: 1,
    stopped: false,
    queue: {},
    spec: { namespace: 'default', execMode: 'cluster', script: '/web.js', scheduling: 'fair' },
    link: { state: 'connected', pid: 9, trouble: null, snapshot },
  };
  const sample = async (pids) => {
    if (pids.includes(1)) snapshot.slots = [{ ...slot, pid: 2, beside: [1] }];
    return new Map(pids.map((pid) => [pid, { cpu: 1, memory: pid * 1000, ctime: 0 }]));
  };
  const features = { ask: () => [], record: (_app, known) => known };
  const daemon = { metrics: { sample }, features, table: { notes: [] } };
  const { apps } = await listApps(daemon, [app], { fields: ['usage'] });
  const [{ workers }] = apps;
  t.match(workers, [{ pid: 2, memory: 2000, beside: [{ pid: 1, memory: 1000 }] }]);
  t.match(figuresOf(workers), { memory: 3000, cpu: 2 }, 'the worker that it replaces still serves');
});

/** ms; so that the tests see several frames. */
const EVERY_MS = 20;

/** Makes a table that says how many were made before. */
function countingView(everyMs) {
  const made = { looks: 0 };
  return { made, view: new LiveView(async () => ({ looks: ++made.looks }), everyMs) };
}

function watcher(t, view, more = {}) {
  const frames = [];
  const end = view.add({ isReading: () => true, show: (frame) => frames.push(frame), ...more });
  t.teardown(end);
  const until = (count) => untilTrue(() => frames.length >= count, `${count} frames`);
  return { frames, end, until };
}

t.test('watchers share each table', async (t) => {
  const { made, view } = countingView(EVERY_MS);
  const [one, other] = [watcher(t, view), watcher(t, view)];
  await Promise.all([one.until(3), other.until(3)]);
  one.end();
  other.end();
  t.same(one.frames, other.frames);
  t.ok(made.looks <= one.frames.length + 1, `${made.looks} looks`);
  t.match(one.frames.slice(0, 2), [{ at: Number, patch: { looks: 1 } }, { patch: { looks: 2 } }]);
});

t.test('a patch says what has changed since the last frame of its watcher', async (t) => {
  const state = { same: { deep: [1] }, count: 0 };
  const view = new LiveView(async () => ({ ...state, count: (state.count += 1) }), EVERY_MS);
  let isReading = true;
  const [fast, slow] = [watcher(t, view), watcher(t, view, { isReading: () => isReading })];
  await slow.until(1);
  isReading = false;
  await fast.until(fast.frames.length + 3);
  isReading = true;
  const seen = slow.frames.length;
  await slow.until(seen + 1);
  const { patch } = slow.frames[seen];
  t.same(Object.keys(patch), ['count']);
  t.ok(patch.count > seen + 1, 'as it is now');
});

t.test('no table is made when nobody watches', async (t) => {
  const { made, view } = countingView(60_000);
  const first = watcher(t, view);
  await first.until(1);
  first.end();
  const before = made.looks;
  await watcher(t, view).until(1);
  t.equal(made.looks, before + 1);
});

t.test('a watcher that does not read misses frames and costs no table', async (t) => {
  const { made, view } = countingView(EVERY_MS);
  let isReading = false;
  let questions = 0;
  const slow = watcher(t, view, { isReading: () => (questions += 1) && isReading });
  await untilTrue(() => questions > 2, 'it to be skipped');
  t.equal(made.looks, 0);
  isReading = true;
  await slow.until(1);
});

t.test('one that comes while a table is made gets the next one at once', async (t) => {
  const made = [];
  const view = new LiveView(() => new Promise((resolve) => made.push(() => resolve({}))), 60_000);
  watcher(t, view);
  await untilTrue(() => made.length > 0, 'a look');
  const second = watcher(t, view);
  made.shift()();
  await untilTrue(() => made.length > 0, 'another one');
  made.shift()();
  await second.until(1);
  t.equal(second.frames.length, 1);
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
