/** `cron_restart`: when it reloads, also on the days on which clocks change, and how it is shown. */
import t from 'tap';
import { createRequire } from 'node:module';
import { CronTimes } from '../../src/daemon/cron-times.js';
import { cron } from '../../src/features/cron/show.js';
import { workerState } from '../../src/show/state.js';

/** On one day, local time as the patterns are. */
const at = (hours, minutes = 0, seconds = 0) =>
  new Date(2026, 5, 10, hours, minutes, seconds).getTime();

/** The clock at each look, and what each look says. */
const rows = [
  ['it is due', [at(3, 59, 30), at(3, 59, 59), at(4), at(4, 0, 30)], [false, true, false]],
  ['a check may be late', [at(3, 59, 30), at(4, 1, 10), at(4, 1, 40)], [true, false]],
  ['the clock is set to shortly before it', [at(1), at(3, 59, 50), at(4)], [false, true]],
  ['the clock is set past it', [at(1), at(9), at(9, 1)], [false, false]],
  ['it slept until shortly after it', [at(1), at(4, 1, 59), at(4, 2)], [true, false]],
  ['the machine slept through it', [at(3, 59), at(7, 30), at(7, 31)], [false, false]],
  ['the clock is set back', [at(3), at(4), at(2), at(4), at(28)], [true, false, false, true]],
  ['it is set back by a day', [at(3), at(4), at(-19), at(4), at(28)], [true, false, false, true]],
  ['a wrong clock is set right', [at(24 * 365), at(3), at(4), at(4)], [false, true, false]],
  ['it is set forward by a day', [at(3), at(27), at(28)], [false, true]],
];

for (const [name, [begin, ...looks], said] of rows) {
  const job = new CronTimes('0 4 * * *', begin);
  const found = looks.map((nowMs) => job.check(nowMs));
  t.same(found, said, name);
}

t.test('the clock is checked when a job is due, and as often as it may be set', async (t) => {
  t.equal(new CronTimes('0 4 * * *', at(1)).waitMs, 30_000);
  t.equal(new CronTimes('0 4 * * *', at(3, 59, 50)).waitMs, 10_000);
  const job = new CronTimes('0 4 * * *', at(3, 59, 50));
  job.check(at(3, 59, 58));
  t.equal(job.waitMs, 2000);
});

t.test('a pattern that never matches', async (t) => {
  const job = new CronTimes('0 0 30 2 *', at(1));
  t.match([job.next, job.check(at(2)), job.waitMs], [null, false, 30_000]);
});

t.test('a machine that slept over several times runs it once, for the latest', async (t) => {
  const job = new CronTimes('*/5 * * * *', at(1));
  t.equal(job.check(at(4, 0, 30)), true);
  t.equal(job.check(at(4, 0, 31)), false);
  t.equal(job.check(at(9, 3)), false, 'of none that is more than two minutes ago');
  t.equal(job.next.getTime(), at(9, 5));
  const everySecond = new CronTimes('* * * * * *', at(1));
  const found = [at(4), at(4) + 500].map((ms) => everySecond.check(ms));
  t.same(found, [true, false]);
});

/** What croner says to a daily job before 04:00, and whether it runs at 04:00. */
const answers = [
  ['in the past', (date) => new Date(date.getTime() - 1), 0],
  ['now', (date) => date, 0],
  ['none', () => null, 0],
  ['no number', () => new Date(NaN), 0],
  ['too late, when it is asked again', (date) => new Date(date.getTime() + 86_400_000), 1],
];
const require = createRequire(import.meta.url);
const { prototype } = require('croner').Cron;

for (const [name, nextRun, runs] of answers) {
  t.test(`croner gives a wrong time: ${name}`, async (t) => {
    const { nextRun: real } = prototype;
    t.teardown(() => (prototype.nextRun = real));
    if (runs === 0) prototype.nextRun = nextRun;
    const job = new CronTimes('0 4 * * *', at(3));
    prototype.nextRun = nextRun;
    let count = 0;
    for (let nowMs = at(3); nowMs <= at(4, 1); nowMs += job.waitMs) {
      if (job.check(nowMs)) count++;
      if (!(job.waitMs > 0)) return t.fail(`it waits ${job.waitMs} ms`);
    }
    t.equal(count, runs);
    prototype.nextRun = real;
    const looks = [at(5), at(28), at(28)].map((nowMs) => job.check(nowMs));
    t.equal(looks.filter(Boolean).length, 1, 'once the next day');
  });
}

const NOW = new Date(2026, 5, 10, 1).getTime();
const worker = { slot: 0, status: 'exited' };
const app = { name: 'once', workers: [worker], nextReloadAt: NOW + 3 * 3_600_000 };

t.test('ls and describe say when it starts again, or is reloaded', async (t) => {
  t.equal(cron.worker(app, worker, NOW), 'exited, next start in 3h');
  t.equal(cron.worker(app, { ...worker, status: 'online' }, NOW), null);
  t.equal(cron.worker({ ...app, nextReloadAt: undefined }, worker, NOW), null);
  t.equal(workerState(app, worker, NOW), 'exited');
  t.match(cron.facts(app, NOW), [['next cron_restart', /04:00.*, in 3h/]]);
  t.same(cron.facts({ ...app, nextReloadAt: undefined }, NOW), []);
});
