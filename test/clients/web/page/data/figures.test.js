import t from 'tap';
import { History } from '../../../../../src/clients/web/page/data/history.js';
import { linesAfter, logsUrl } from '../../../../../src/clients/web/page/data/logs.js';
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
  const one = [1.3, 5000, 0.123, 20, 21, null, 10, null, 1.23, 9];
  const ofWorker = [...one, null];
  t.strictSame(sample, {
    at: 7,
    rows: {
      api: [2.5, 10_000, 0.123, 20, 21, null, 20, null, 1.23, 9, 2],
      one: [...one, 1],
      'api:0': ofWorker,
      'api:1': ofWorker,
      'one:2': ofWorker,
    },
  });
});

t.test('the last quarter of an hour', async (t) => {
  const past = new History(900);
  const figures = (cpu) => [cpu, 123_456_789, ...Array(10).fill(null)];
  t.strictSame(past.read(), { times: [], rows: {} });
  for (let at = 1; at <= 1000; at += 1) {
    const rows = { api: figures(at), 'api:0': figures(null), 'api:1': figures(2) };
    past.add({ at, rows: at > 998 ? { ...rows, late: figures(0.1) } : rows });
  }
  const { times, rows } = past.read();
  t.equal(times.length, 900);
  t.same([times[0], times.at(-1)], [101, 1000]);
  t.same([rows.api[0][0], rows.api.at(-1)[0]], [101, 1000]);
  t.strictSame(past.read(undefined, 3).rows.late, [null, figures(0.1), rows.late.at(-1)]);
  t.same(Object.keys(past.read('api').rows), ['api', 'api:0', 'api:1']);
  t.same(past.read('other').rows, {});
});

t.test('the history has as many figures as times, and a limit', async (t) => {
  const history = new History(3, {
    times: [1000, 2000],
    rows: { api: [[1], [2]], 'api:4': [null, [2]] },
  });
  history.add({ at: 3000, rows: { api: [3], web: [9], 'api:5': [3] } });
  history.add({ at: 3000, rows: { api: [99] } });
  t.same(history.times, [1000, 2000, 3000], 'a sample that came twice counts once');
  t.same(history.of('api'), [[1], [2], [3]]);
  t.same(history.of('web'), [null, null, [9]]);
  t.same(history.of('api:4'), [null, [2], null]);
  history.add({ at: 4000, rows: { api: [4] } });
  t.same(history.times, [2000, 3000, 4000]);
  t.same(history.of('api'), [[2], [3], [4]]);
  for (const at of [5000, 6000, 7000]) history.add({ at, rows: { api: [at] } });
  t.same(history.of('api:4'), [], 'a worker without figures is forgotten');
});

t.test('what has no room for a past shows its latest figures', async (t) => {
  const history = new History(3);
  const workers = Array.from({ length: 600 }, (_, slot) => [`api:${slot}`, [slot]]);
  const rows = { api: [1], ...Object.fromEntries(workers) };
  history.add({ at: 1000, rows });
  history.add({ at: 2000, rows });
  t.same(history.of('api:7'), [[7], [7]]);
  t.same(history.of('api:599'), [[599]]);
  t.same(history.of('api:600'), []);
});

t.test('log lines are bounded', async (t) => {
  const first = linesAfter(['z'], { isFirst: true, records: ['a', 'b'] }, 3);
  t.same(first, ['a', 'b']);
  t.same(linesAfter(first, { isFirst: false, records: ['c', 'd'] }, 3), ['b', 'c', 'd']);
});

t.test('only the view of logs reads them', async (t) => {
  const route = { view: 'logs', app: 'api', slot: 0, level: '', search: 'a b' };
  t.equal(logsUrl(route), 'api/logs?level=&search=a+b&target=api%3A0');
  t.equal(logsUrl({ ...route, view: 'app' }), null);
});
