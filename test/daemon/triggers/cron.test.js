import t from 'tap';
import { CronJob } from '../../../src/daemon/triggers/cron-job.js';

/** On one day, local time as the patterns are. */
const at = (hours, minutes = 0, seconds = 0) =>
  new Date(2026, 5, 10, hours, minutes, seconds).getTime();

/** The clock at each look, and what each look says. */
const rows = [
  ['it is due', [at(3, 59, 30), at(3, 59, 59), at(4), at(4, 0, 30)], [false, true, false]],
  ['a check may be late', [at(3, 59, 30), at(4, 1, 10), at(4, 1, 40)], [true, false]],
  ['the clock is set to shortly before it', [at(1), at(3, 59, 50), at(4)], [false, true]],
  ['the clock is set past it', [at(1), at(9), at(9, 1)], [false, false]],
  ['the machine slept through it', [at(3, 59), at(7, 30), at(7, 31)], [false, false]],
  ['the clock is set back', [at(4, 0, 1), at(2), at(3, 59), at(4)], [false, false, true]],
];

for (const [name, [begin, ...looks], said] of rows) {
  t.test(name, async (t) => {
    const job = new CronJob('0 4 * * *', begin);
    t.same(
      looks.map((nowMs) => job.check(nowMs)),
      said,
    );
  });
}

t.test(
  'the clock is checked when a job is due, and often enough to notice that it was set',
  async (t) => {
    t.equal(new CronJob('0 4 * * *', at(1)).waitMs, 30_000);
    t.equal(new CronJob('0 4 * * *', at(3, 59, 50)).waitMs, 10_000);
    const job = new CronJob('0 4 * * *', at(3, 59, 50));
    job.check(at(3, 59, 58));
    t.equal(job.waitMs, 2000);
  },
);

t.test('a pattern that never matches', async (t) => {
  const job = new CronJob('0 0 30 2 *', at(1));
  t.equal(job.next, null);
  t.equal(job.check(at(2)), false);
  t.equal(job.waitMs, 30_000);
});
