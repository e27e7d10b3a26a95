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
