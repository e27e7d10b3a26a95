import t from 'tap';
import { WorkerHistory } from '../../../src/features/degraded/primary.js';

/** @param {number} answered @param {number} [errors] */
const load = (answered, errors = 0) => ({ bytes: 1, open: 1, oldestMs: 0, answered, errors });

t.test('counts are those of the last minute', async (t) => {
  const history = new WorkerHistory();
  t.equal(history.load.requests, undefined);
  for (let second = 0; second <= 300; second += 2) {
    history.note(load(second * 10, second), second * 1000);
    if (second === 40)
      t.match(history.load.requests, { answered: 400, errors: 40 }, 'since its start');
  }
  t.match(history.load.requests, { open: 1, oldestSince: undefined, answered: 600, errors: 60 });
});

t.test('what a program forges', async (t) => {
  const history = new WorkerHistory();
  for (let ms = 0; ms < 200_000; ms++) history.note(load(ms), ms);
  const { answered } = history.load.requests;
  t.ok(answered >= 60_000 && answered <= 62_000, `${answered}: however often it reports`);
  history.note(load(3, 1), 200_000);
  t.match(history.load.requests, { answered: 0, errors: 1 }, 'fewer than before');
});
