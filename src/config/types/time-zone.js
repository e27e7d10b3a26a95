/** @import { ValueType } from './values.js' */

/** @type {ValueType} */
export const timeZone = {
  expected: 'a time zone such as Europe/Berlin or UTC',
  read(input) {
    const { value } = input;
    return typeof value === 'string' && isTimeZone(value) ? value : input.reject(timeZone.expected);
  },
  schema: { type: 'string', minLength: 1 },
};

/** @param {string} name */
function isTimeZone(name) {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {number} ms epoch
 * @param {string} [zone] default: that of this process
 * @returns {number} minutes by which its clocks are ahead of UTC then
 */
export function offsetAt(ms, zone) {
  if (zone === undefined) return -new Date(ms).getTimezoneOffset();
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  // `6/10/2026, GMT+02:00`; of UTC only `GMT`.
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(format.format(ms)) ?? [];
  if (sign === undefined) return 0;
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}
