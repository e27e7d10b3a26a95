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
