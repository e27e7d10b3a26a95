/** Cron patterns, checked by the parser that runs them. The only importer of croner. */
import { createRequire } from 'node:module';
import { attempt } from '../../errors/error.js';
import { onDemand } from '../../shared/package/on-demand.js';

/** @import { ValueType } from './values.js' */

const require = createRequire(import.meta.url);
/** Few apps have a pattern. */
const croner = onDemand(() => /** @type {typeof import('croner')} */ (require('croner')));

/** On a day on which clocks change, what has no wildcard in its time is a fixed time: it comes once. */
const OPTIONS = /** @type {const} */ ({
  paused: true,
  mode: '5-or-6-parts',
  fixedTimeRule: 'no-wildcard',
});

/** @typedef {(afterMs: number) => number | null} NextTime both epoch ms; null: there is none */

/**
 * @param {string} pattern five fields, six with seconds first, or @daily
 * @param {string} [timezone] default: of this process
 * @returns {NextTime}
 * @throws {Error} with a reason that completes "the pattern is not valid: …"
 */
export function parseCronPattern(pattern, timezone) {
  // croner would parse it as a date.
  if (pattern.includes(':')) throw new Error('it is a date, not a pattern');
  const nextAfter = timesOf(pattern, { timezone });
  const offsetAt = offsetsOf(timezone);
  return (afterMs) => {
    const nextMs = nextAfter(afterMs);
    if (nextMs === null || offsetAt(nextMs) <= offsetAt(afterMs)) return nextMs;
    // croner leaves out a time that the clocks skip at the end of a day: by the clock of before, it comes.
    const keptMs = timesOf(pattern, { utcOffset: offsetAt(afterMs) })(afterMs);
    return Math.min(nextMs, keptMs ?? Infinity);
  };
}

/** @param {string} pattern @param {{timezone?: string, utcOffset?: number}} zone @returns {NextTime} */
function timesOf(pattern, zone) {
  try {
    const cron = new (croner().Cron)(pattern, { ...OPTIONS, ...zone });
    // It searches by recursion, and a date that never comes may need more stack than there is.
    return (afterMs) => attempt(() => cron.nextRun(new Date(afterMs))?.getTime() ?? null, null);
  } catch (error) {
    throw new Error(describeFault(/** @type {Error} */ (error).message), { cause: error });
  }
}

/** @param {string} message of croner, which counts from 0, unlike the pattern */
function describeFault(message) {
  const field = /Invalid value for (\w+)/.exec(message)?.[1];
  if (field) return `the ${field.replace('dayOfWeek', 'day of the week')} is out of range`;
  if (/configuration format|-parts/.test(message)) return 'it needs five fields, or six';
  const text = message.replace(/^CronPattern: /, '').replace(/\.( .*)?$/, '');
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

/** @param {string} [timeZone] default: that of this process @returns {(ms: number) => number} minutes ahead of UTC then */
function offsetsOf(timeZone) {
  if (timeZone === undefined) return (ms) => -new Date(ms).getTimezoneOffset();
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (ms) => {
    // `6/10/2026, GMT+02:00`; of UTC only `GMT`.
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(format.format(ms)) ?? [];
    if (sign === undefined) return 0;
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
}
