/** A cron pattern as systemd's OnCalendar has it. */

/** @import { Times } from './app.js' */

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * @param {string} pattern of five fields, or six with seconds first
 * @returns {string}
 */
export function onCalendar(pattern) {
  const { second, minute, hour, day, month, weekday } = fieldsOf(pattern);
  const days = isAny(weekday) ? '' : `${weekdays(weekday)} `;
  const date = `*-${numbers(monthNumbers(month), 1)}-${numbers(day, 1)}`;
  const time = [hour, minute, second].map((field) => numbers(field, 0)).join(':');
  return `${days}${date} ${time}`;
}

/**
 * @param {Times} times
 * @returns {string | false} what OnCalendar cannot say
 */
export function onCalendarWarning({ key, pattern }) {
  const { day, weekday } = fieldsOf(pattern);
  if (!isAny(weekday) && !isAny(day)) {
    return `${key}: ${pattern} means either of both days, and OnCalendar means both: check it`;
  }
  const isSpecial = /[LW#]/i.test(day) || /[L#]/i.test(weekday);
  return isSpecial && `${key}: OnCalendar may not know ${pattern}: check it`;
}

/** @type {Record<string, string>} */
const NICKNAMES = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** @param {string} pattern */
function fieldsOf(pattern) {
  const fields = (NICKNAMES[pattern.toLowerCase()] ?? pattern).trim().split(/\s+/);
  const [second, minute, hour, day, month, weekday] = fields.length > 5 ? fields : ['0', ...fields];
  return { second, minute, hour, day, month, weekday };
}

/** @param {string} field */
function isAny(field) {
  return field === '*' || field === '?';
}

/** @param {string} field @param {number} first of its values */
function numbers(field, first) {
  return field
    .replaceAll('?', '*')
    .split(',')
    .map((part) => part.replace(/^\*\//, `${first}/`).replace('-', '..'))
    .join(',');
}

/** @param {string} field */
function monthNumbers(field) {
  return field.replace(/[a-z]{3}/gi, (name) => String(MONTHS.indexOf(name.toLowerCase()) + 1));
}

/** @param {string} field */
function weekdays(field) {
  return field
    .replace(/\d/g, (digit) => DAYS[Number(digit)] ?? digit)
    .replace(/[a-z]{3}/gi, (name) => name[0].toUpperCase() + name.slice(1).toLowerCase())
    .replaceAll('-', '..');
}
