/** Cron patterns, checked by the parser that runs them. The only importer of croner. */
import { createRequire } from 'node:module';
import { attempt } from '../../errors/error.js';
import { onDemand } from '../../shared/package/on-demand.js';

/**
 * @import { Cron } from 'croner'
 * @import { ValueType } from './values.js'
 */

const require = createRequire(import.meta.url);
/** Few apps have a pattern. */
const croner = onDemand(() => /** @type {typeof import('croner')} */ (require('croner')));

/** @typedef {(afterMs: number) => number | null} NextTime both epoch ms; null: there is none */

/**
 * @param {string} pattern five fields, six with seconds first, or a nickname such as @daily
 * @param {string} [timezone] default: that of this process
 * @returns {NextTime}
 * @throws {Error} with a reason that completes "the pattern is not valid: …"
 */
export function parseCronPattern(pattern, timezone) {
  // croner would parse it as a date.
  if (pattern.includes(':')) throw new Error('it is a date, not a pattern');
  try {
    return timesOf(new (croner().Cron)(pattern, { paused: true, timezone }), timezone);
  } catch (error) {
    throw new Error(describeFault(/** @type {Error} */ (error).message), { cause: error });
  }
}

/** @param {Cron} cron @param {string} [timezone] @returns {NextTime} */
function timesOf(cron, timezone) {
  // In the hour that comes twice, croner knows only the second one, so that what is due in every
  // hour would be left out for an hour.
  const pattern = cron.getPattern() ?? '';
  const isHourly = pattern.trim().split(/\s+/).at(-4)?.startsWith('*');
  return (afterMs) => {
    const nextMs = nextOf(cron, afterMs);
    if (nextMs === null || !isHourly) return nextMs;
    const offsets = [afterMs, nextMs].map((ms) => offsetAt(ms, timezone));
    const isSetBack = offsets[0] > offsets[1];
    if (!isSetBack) return nextMs;
    return Math.min(...offsets.map((offset) => nextWith(offset)));

    /** The next time at which the clock differs so much from UTC. @param {number} utcOffset */
    function nextWith(utcOffset) {
      const fixed = new (croner().Cron)(pattern, { paused: true, utcOffset });
      let ms = nextOf(fixed, afterMs) ?? Infinity;
      while (ms < Number(nextMs) && offsetAt(ms, timezone) !== utcOffset) {
        ms = nextOf(fixed, ms) ?? Infinity;
      }
      return Math.min(ms, Number(nextMs));
    }
  };
}

/** @param {Cron} cron @param {number} afterMs */
function nextOf(cron, afterMs) {
  // It searches by recursion, and a date that never comes may need more stack than there is.
  return attempt(() => cron.nextRun(new Date(afterMs))?.getTime() ?? null, null);
}

/** croner counts days and months from 0, unlike the pattern. @param {string} message */
function describeFault(message) {
  const field = /Invalid value for (\w+)/.exec(message)?.[1];
  if (field) return `the ${field.replace('dayOfWeek', 'day of the week')} is out of range`;
  const text = message
    .replace(/^CronPattern: (invalid configuration format .*, )?/, '')
    .replace(/\.$/, '');
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** @type {ValueType} */
export const timeZone = {
  expected: 'a time zone such as Europe/Berlin or UTC',
  read(input) {
    const { value } = input;
    const isKnown = () => Boolean(Intl.DateTimeFormat('en', { timeZone: value }));
    const isZone = typeof value === 'string' && attempt(isKnown, false);
    return isZone ? value : input.reject(timeZone.expected);
  },
  schema: { type: 'string', minLength: 1 },
};

/**
 * @param {number} ms epoch
 * @param {string} [zone] default: that of this process
 * @returns {number} minutes by which its clocks are ahead of UTC then
 */
function offsetAt(ms, zone) {
  if (zone === undefined) return -new Date(ms).getTimezoneOffset();
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  // `6/10/2026, GMT+02:00`; of UTC only `GMT`.
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(format.format(ms)) ?? [];
  if (sign === undefined) return 0;
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
