/** The real checker on the days on which clocks change, in all time zones, for all minutes of the hour. */
import t from 'tap';
import { CronTimes } from '../../src/daemon/cron-times.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const [BEGIN, END] = ['2027-01-01', '2028-01-01'].map((day) => Date.parse(day));

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
