/** From the records of the daemon to the samples of the page. */
import t from 'tap';
import { History } from '../../../../../src/clients/web/page/data/history.js';
import { sampleOf, withoutFigures } from '../../../../../src/clients/web/page/data/figures.js';

const worker = (id, more = {}) => ({
  id,
  slot: id - 1,
  pid: 100 + id,
  status: 'online',
  cpu: 1.25,
  memory: 5000,
  cpuTimeMs: 100,
  startedAt: 1000,
  listening: [{ address: '*:80' }],
  elu: 0.12345,
  eventLoopDelayMs: { p50: 20.04, p99: 21, max: 30 },
  latencyMs: { p50: 1.234, p99: 9 },
  requestsPerSecond: 10,
  ...more,
});
const app = (more = {}) => ({
  name: 'api',
  status: 'online',
  workers: [worker(1), worker(2)],
  ...more,
});
t.test('a worker without what changes every second', async (t) => {
  const [shown] = withoutFigures(app()).workers;
  const { id, slot, pid, status, startedAt, listening } = worker(1);
  t.strictSame(shown, { id, slot, pid, status, startedAt, listening });
});

t.test('the figures of one second', async (t) => {
  const sample = sampleOf({ at: 7, apps: [app(), app({ name: 'one', workers: [worker(3)] })] });
  const one = [1.3, 5000, 0.123, 20, 21, null, null, 10, null, 1.23, 9];
  const ofWorker = [...one, null];
  t.strictSame(sample, {
    at: 7,
    apps: { api: [2.5, 10_000, 0.123, 20, 21, null, null, 20, null, 1.23, 9, 2], one: [...one, 1] },
    workers: { 1: ofWorker, 2: ofWorker, 3: ofWorker },
  });
});

t.test('a blocked worker does not look idle, beside one that is', async (t) => {
  const idle = worker(2, { elu: 0 });
  const silent = worker(1, { blockedSince: 9000, elu: undefined, eventLoopDelayMs: undefined });
  const { apps, workers } = sampleOf({ at: 21_000, apps: [app({ workers: [silent, idle] })] });
  const loopOf = (figures) => figures.slice(2, 5);
  t.same(loopOf(workers[1]), [1, 12_000, 12_000]);
  t.same(loopOf(workers[2]), [0, 20, 21]);
  t.same(loopOf(apps.api), [1, 12_000, 12_000]);
});

t.test('the last quarter of an hour', async (t) => {
  const past = new History(900);
  const figures = (cpu) => [cpu, 123_456_789, ...Array(10).fill(null)];
  t.strictSame(past.read(60), { times: [], apps: {}, workers: {} });
  for (let at = 1; at <= 1000; at += 1) {
    const apps = at > 998 ? { api: figures(at), late: figures(0.1) } : { api: figures(at) };
    past.add({ at, apps, workers: { 1: figures(null), 2: figures(2) } });
  }
  const { times, apps } = past.read();
  t.equal(times.length, 900);
  t.same([times[0], times.at(-1)], [101, 1000]);
  t.same([apps.api[0][0], apps.api.at(-1)[0]], [101, 1000]);
  t.strictSame(past.read(3).apps.late, [null, figures(0.1), apps.late.at(-1)]);
  t.same(Object.keys(past.read(3, [], ['late', 'other']).apps), ['late']);
  t.same(Object.keys(past.read(3, ['2'], []).workers), ['2']);
});

t.test('of many rows not all have a past', async (t) => {
  const past = new History(900);
  const workers = Object.fromEntries(Array.from({ length: 600 }, (_, id) => [id, [id]]));
  past.add({ at: 1, apps: { api: [1] }, workers });
  t.equal(Object.keys(past.read().workers).length, 499);
  t.same(past.read().apps, { api: [[1]] });
});
