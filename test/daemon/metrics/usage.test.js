import t from 'tap';
import { Metrics } from '../../../src/daemon/metrics/usage.js';

t.test('usage is current, not since the last request', async (t) => {
  const looks = [];
  const metrics = new Metrics(async (pids) => {
    looks.push(pids);
    return { 1: { cpu: looks.length === 1 ? 90 : 4.04, memory: 5, ctime: 60 } };
  });
  const both = await Promise.all([metrics.sample([1, 2]), metrics.sample([1])]);
  const usage = { cpu: 4, memory: 5, ctime: 60 };
  t.strictSame(
    both.map((usages) => [...usages]),
    [[[1, usage]], [[1, usage]]],
  );
  const twice = [1, 2];
  t.strictSame(
    looks,
    [twice, twice],
    'two samples, each in one pass, shared by concurrent requests',
  );
});
