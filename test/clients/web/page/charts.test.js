/** What the charts show: data with gaps, and marks. */
import t from 'tap';
import { marksOf, chartData } from '../../../../src/clients/web/page/series.js';

t.test('data between two times, with a gap where nothing was measured', async (t) => {
  const times = [1000, 2000, 3000, 20_000, 21_000];
  const figures = [[1, 10], [2, 20], null, [4, 40], [5, 50]];
  t.same(chartData(times, figures, [0, 1], 2000, 20_000), [
    [2, 3, 3.001, 20],
    [2, null, null, 4],
    [20, null, null, 40],
  ]);
  t.same(chartData([], [], [0], 0, 1), [[], []]);
});

/** @param {string} type @param {number} at @param {object} [fields] */
function event(type, at, fields) {
  return { type, at, app: 'api', text: `${type} ${at}`, ...fields };
}

t.test('marks', async (t) => {
  const events = [
    event('reload.begun', 1),
    event('worker.online', 2),
    event('reload.ended', 3, { ok: true }),
    event('restart.begun', 4),
    event('restart.ended', 5, { ok: false }),
    event('worker.exited', 6),
    event('worker.exited', 6, { app: 'web' }),
    event('primary.lost', 7),
    event('stop.begun', 8),
    event('job.started', 8),
    event('job.ended', 9, { ok: true }),
    { type: 'missed', at: 9, count: 2, text: '2 events were missed' },
  ];
  t.same(marksOf(events, 'api', 10), [
    { from: 1, to: 3, look: 'band', text: 'reload.ended 3' },
    { from: 4, to: 5, look: 'bad', text: 'restart.ended 5' },
    { from: 6, to: 6, look: 'bad', text: 'worker.exited 6' },
    { from: 7, to: 7, look: 'bad', text: 'primary.lost 7' },
    { from: 8, to: 10, look: 'band', text: 'stop.begun 8' },
    { from: 8, to: 9, look: 'band', text: 'job.ended 9' },
  ]);
});
