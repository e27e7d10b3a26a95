import t from 'tap';
import { ReloadCauses, watchDelay } from '../../../src/features/watch/decide.js';

t.test('constant changes do not delay a reload forever', async (t) => {
  t.equal(watchDelay(200, 0), 200);
  t.equal(watchDelay(200, 1900), 100);
  t.equal(watchDelay(200, 5000), 0);
});

t.test(
  'a file that causes reload after reload waits longer and longer, and no other file does',
  async (t) => {
    const causes = new ReloadCauses();
    const pauses = [];
    let nowMs = 0;
    for (let count = 0; count < 12; count++) {
      nowMs += causes.waitMs('db.json', nowMs) + 500;
      causes.note('db.json', nowMs);
      pauses.push(causes.waitMs('db.json', nowMs) / 1000);
    }
    t.same(pauses, [0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    t.same(causes.latest(nowMs), { file: 'db.json', times: 12, pauseMs: 60_000 });
    t.equal(causes.waitMs('a.js', nowMs), 0);
    causes.note('a.js', nowMs);
    t.equal(causes.latest(nowMs), null);
    causes.note('db.json', nowMs + 60_000);
    t.equal(causes.latest(nowMs + 179_999)?.times, 13);
    t.equal(causes.latest(nowMs + 180_000), null);
    causes.note('a.js', nowMs + 180_000);
    causes.note('db.json', nowMs + 180_000);
    t.equal(causes.waitMs('db.json', nowMs + 180_000), 0, 'it begins again');
  },
);

t.test('a file that is saved now and then never waits', async (t) => {
  const causes = new ReloadCauses();
  for (let nowMs = 0; nowMs < 600_000; nowMs += 31_000) {
    causes.note('a.js', nowMs);
    t.equal(causes.waitMs('a.js', nowMs), 0);
  }
});
