/** `cron_restart`: when it reloads, how it is shown, and the real checker on days on which clocks change, in all time zones. */
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
  t.equal(workerState(app, worker, NOW), 'exited, next start in 3h');
  t.match(cron.facts(app, NOW), [['next cron_restart', /04:00.*, in 3h/]]);
  t.same(cron.facts({ ...app, nextReloadAt: undefined }, NOW), []);
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [BEGIN, END] = ['2027-01-01', '2028-01-01'].map((day) => Date.parse(day));

const { timeZone: OWN_ZONE } = Intl.DateTimeFormat().resolvedOptions();

/** One zone for each change, which several have. */
const changes = new Map();
for (const zone of Intl.supportedValuesOf('timeZone')) {
  process.env.TZ = zone;
  for (let day = BEGIN; day < END; day += DAY) {
    const [before, after] = [offsetAt(day), offsetAt(day + DAY)];
    if (before === after) continue;
    let at = day;
    while (offsetAt(at) === before) at += MINUTE;
    changes.set([at, before, after].join(), { zone, at, before, after });
  }
}
process.env.TZ = OWN_ZONE;
t.ok(changes.size > 20, `${changes.size} changes`);

/** @returns ms by which the clocks of TZ are ahead of UTC */
function offsetAt(ms) {
  return -new Date(ms).getTimezoneOffset() * MINUTE;
}

for (const { zone, at, before, after } of changes.values()) {
  const skippedMs = Math.max(after - before, 0);
  const wallAt = (ms, offset = ms < at ? before : after) => {
    const date = new Date(ms + offset);
    return { hour: date.getUTCHours(), minute: date.getUTCMinutes() };
  };

  t.test(`${zone}: ${new Date(at).toISOString()}, ${(after - before) / HOUR} h`, async (t) => {
    process.env.TZ = zone;
    t.teardown(() => (process.env.TZ = OWN_ZONE));
    const [begin, end] = [at - 3 * HOUR, at + 3 * HOUR];
    const wrong = [];
    for (let minute = 0; minute < 60; minute++) {
      const hourly = runsOf(`${minute} * * * *`, minute % 4 ? zone : null, begin, end);
      if (hourly.join() !== hoursOf(minute).join()) wrong.push([`${minute} * * * *`, hourly]);
      // The hour that is skipped, or comes twice; and those around it.
      const { hour: changed } = wallAt(at - MINUTE, Math.max(before, after));
      for (const hour of [changed - 1, changed, changed + 1].map((hour) => (hour + 24) % 24)) {
        if (hour !== changed && minute % 10 !== 0) continue;
        const pattern = `${minute} ${hour} * * *`;
        const runs = runsOf(pattern, minute % 4 ? null : zone, begin, end);
        if (runs.length !== 1 || !isFirst(runs[0], hour, minute)) wrong.push([pattern, runs]);
      }
    }
    t.same(wrong.slice(0, 3), [], `of ${wrong.length}`);

    function hoursOf(minute) {
      const times = [];
      for (let ms = begin + MINUTE; ms < end; ms += MINUTE) {
        // A time that is skipped comes as late as the clocks are ahead.
        const isLate = ms >= at && ms < at + skippedMs && wallAt(ms, before).minute === minute;
        if (isLate || wallAt(ms).minute === minute) times.push(ms);
      }
      return times;
    }

    function isFirst(run, hour, minute) {
      const isTime = (ms, offset) => {
        const wall = wallAt(ms, offset);
        return wall.hour === hour && wall.minute === minute;
      };
      if (isTime(run)) return !(run >= at && run < at + before - after);
      const minutes = Array.from({ length: skippedMs / MINUTE }, (_, index) => at + index * MINUTE);
      return minutes.includes(run) && minutes.some((ms) => isTime(ms, before));
    }
  });
}

/**
 * As the daemon does it: a check when the next time has come, and at least every 30 s.
 * @param zone null: that of this process
 */
function runsOf(pattern, zone, begin, end) {
  const times = new CronTimes(pattern, begin, zone);
  const runs = [];
  for (let nowMs = begin; nowMs < end; nowMs += times.waitMs) {
    if (times.check(nowMs)) runs.push(nowMs);
    if (!(times.waitMs > 0)) throw new Error(`${pattern} in ${zone} waits ${times.waitMs} ms`);
  }
  return runs;
}
