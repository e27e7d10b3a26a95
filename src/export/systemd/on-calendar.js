/** A cron pattern as systemd's OnCalendar has it. */

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * @param {string} pattern of five fields, or six with seconds first
 * @returns {{text: string, warning: string | false}}
 */
export function onCalendar(pattern) {
  const fields = pattern.trim().split(/\s+/);
  const [second, minute, hour, day, month, weekday] = fields.length > 5 ? fields : ['0', ...fields];
  const days = weekday === '*' || weekday === '?' ? '' : `${weekdays(weekday)} `;
  const date = `*-${numbers(monthNumbers(month), 1)}-${numbers(day, 1)}`;
  const time = [hour, minute, second].map((field) => numbers(field, 0)).join(':');
  const isEither = days !== '' && day !== '*' && day !== '?';
  const isSpecial = /[LW#]/i.test(day) || /[L#]/i.test(weekday);
  return {
    text: `${days}${date} ${time}`,
    warning:
      (isEither &&
        `cron_restart: ${pattern} means either of both days, and OnCalendar means both: check it`) ||
      (isSpecial && `cron_restart: OnCalendar may not know ${pattern}: check it`),
  };
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
