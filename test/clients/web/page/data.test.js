/** What the page receives: the history, the log lines. */
import t from 'tap';
import { linesAfter, logsUrl } from '../../../../src/clients/web/page/data/logs.js';
import { History } from '../../../../src/clients/web/page/data/history.js';

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
