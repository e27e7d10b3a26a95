/** From the frames of the daemon to the state and the samples of the page. */
import t from 'tap';
import { describeApps } from '../../../../src/clients/web/describe-apps.js';
import { patchBetween } from '../../../../src/clients/web/merge-patch.js';
import { PastSamples, sampleOf } from '../../../../src/clients/web/samples.js';

const worker = (id, more = {}) => ({
  id,
  slot: id - 1,
  pid: 100 + id,
  status: 'online',
  cpu: 1.25,
  memory: 5000,
  uptimeMs: 1000,
  retryInMs: null,
  blockedMs: null,
  health: null,
  listening: [{ address: '*:80', protocol: null }],
  elu: 0.12345,
  eventLoopDelayMs: { p50: 20.04, p99: 21, max: 30 },
  latencyMs: { p50: 1.234, p99: 9 },
  requestsPerSecond: 10,
  ...more,
});
const app = (more = {}) => ({
  name: 'api',
  status: 'online',
  busy: null,
  workers: [worker(1), worker(2)],
  ...more,
});
const describe = (at, apps, before = {}) => describeApps({ at, apps }, before);

t.test('an app and its workers, without what changes every second', async (t) => {
  const { order, apps } = describe(5000, [app()]);
  t.same(order, ['api']);
  t.strictSame(Object.keys(apps.api).sort(), ['name', 'state', 'status', 'workers']);
  t.strictSame(apps.api.workers[2], {
    id: 2,
    slot: 1,
    pid: 102,
    status: 'online',
    listening: [{ address: '*:80', protocol: null }],
    state: 'online',
    startedAt: 4000,
  });
});

t.test('what a later version adds passes', async (t) => {
  const { apps } = describe(0, [
    app({ scaling: { why: 'elu 0.9' }, workers: [worker(1, { stack: ['f'] })] }),
  ]);
  t.match(apps.api, { scaling: { why: 'elu 0.9' }, workers: { 1: { stack: ['f'] } } });
});

t.test('what an app does by itself, without what changes every second', async (t) => {
  const job = { schedule: '* * * * *', nextRunAt: 9000, nextRunInMs: 4000, lastRun: null };
  const lastChange = { at: 1000, agoMs: 4000, from: 1, to: 2, reason: 'busy' };
  const autoscaling = { min: 1, max: 2, elu: 0.8, utilisation: 0.12345, held: null, lastChange };
  const known = { requests: 0, errors: 0 };
  const answers = { ...known, p99Ms: null };
  const canary = { slots: [0], forMs: 9000, judgedMs: 2000, canary: answers, old: answers };
  const { api } = describe(5000, [app({ job, autoscaling, canary })]).apps;
  t.strictSame(api.job, { schedule: '* * * * *', nextRunAt: 9000 });
  t.strictSame(api.autoscaling, {
    min: 1,
    max: 2,
    elu: 0.8,
    utilisation: 0.12,
    lastChange: { at: 1000, from: 1, to: 2, reason: 'busy' },
  });
  t.strictSame(api.canary, { slots: [0], forMs: 9000, since: 3000, canary: known, old: known });
  const waiting = describe(5000, [app({ canary: { ...canary, slots: [], judgedMs: 0 } })]);
  t.notOk('since' in waiting.apps.api.canary, 'not all canaries are online');
});

t.test('times do not move by the inexactness of a second', async (t) => {
  const waiting = { status: 'backoff', uptimeMs: null, retryInMs: 4000 };
  const health = { status: 'unhealthy', failures: 1, reason: 'no', failingMs: 500 };
  const at = (now, more) =>
    app({
      workers: [
        worker(1, { uptimeMs: now - 1000, health: { ...health, failingMs: now } }),
        worker(2, { ...waiting, ...more }),
      ],
    });
  const first = describe(5000, [at(5000, {})]);
  t.match(first.apps.api.workers, {
    1: { startedAt: 1000, health: { failingSince: 0 } },
    2: { retryAt: 9000 },
  });
  const second = describe(6012, [at(6003, { retryInMs: 2995 })], first.apps);
  const countdown = { workers: { 2: { state: 'backoff 3 s' } } };
  t.same(patchBetween(first, second), { apps: { api: countdown } });
  const restarted = describe(60_000, [at(5000, { retryInMs: 4000 })], second.apps);
  t.match(restarted.apps.api.workers, { 1: { startedAt: 56_000 }, 2: { retryAt: 64_000 } });
});

t.test('the figures of one second', async (t) => {
  const sample = sampleOf({ at: 7, apps: [app(), app({ name: 'one', workers: [worker(3)] })] });
  const one = [1.3, 5000, 0.123, 20, 21, null, null, 10, null, 1.23, 9];
  t.strictSame(sample, {
    at: 7,
    apps: { api: [2.5, 10_000, 0.123, 20, 21, null, null, 20, null, 1.23, 9, 2], one: [...one, 1] },
    workers: { 1: one, 2: one, 3: one },
  });
});

t.test('the last quarter of an hour', async (t) => {
  const past = new PastSamples();
  const figures = (cpu) => [cpu, 123_456_789, ...Array(10).fill(null)];
  const all = { apps: () => true, workers: () => true };
  t.strictSame(past.read(60, all), { times: [], apps: {}, workers: {} });
  for (let at = 1; at <= 1000; at += 1) {
    const apps = at > 998 ? { api: figures(at), late: figures(0.1) } : { api: figures(at) };
    past.add({ at, apps, workers: { 1: figures(null) } });
  }
  const { times, apps } = past.read(Infinity, all);
  t.equal(times.length, 900);
  t.same([times[0], times.at(-1)], [101, 1000]);
  t.same([apps.api[0][0], apps.api.at(-1)[0]], [101, 1000]);
  t.strictSame(past.read(3, all).apps.late, [
    null,
    [0.1, 123_456_789, ...Array(10).fill(null)],
    apps.late.at(-1),
  ]);
  t.same(Object.keys(past.read(3, { ...all, apps: (name) => name === 'late' }).apps), ['late']);
  past.add({ at: 1001, apps: { late: figures(1) }, workers: {} });
  t.same(Object.keys(past.read(3, all).apps), ['late'], 'what no longer exists is forgotten');
  t.same(past.read(3, all).workers, {});
});
