/** Whether a text can be a cron pattern: what a person can get wrong, found before anything starts. */

const NICKNAMES = /^@(?:yearly|annually|monthly|weekly|daily|hourly)$/i;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');

/** @typedef {{name: string, min: number, max: number, names?: string[]}} Field */

/** @type {Field[]} */
const FIELDS = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of the week', min: 0, max: 7, names: DAYS },
];

/**
 * @param {string} pattern five fields, six with seconds first, or a nickname such as @daily
 * @returns {string|null} what is wrong with it
 */
export function describeCronFault(pattern) {
  if (NICKNAMES.test(pattern.trim())) return null;
  const parts = pattern.trim().split(/\s+/);
  if (parts.length !== 5 && parts.length !== 6) {
    return `it has ${parts.length} ${parts.length === 1 ? 'field' : 'fields'} instead of 5 or 6`;
  }
  const fields = FIELDS.slice(6 - parts.length);
  const wrong = fields.find((field, index) => !fitsField(parts[index], field));
  return wrong ? `the ${wrong.name} is wrong: "${parts[fields.indexOf(wrong)]}"` : null;
}

/**
 * @param {string} part
 * @param {Field} field
 */
function fitsField(part, field) {
  return part.split(',').every((item) => fitsItem(item.toLowerCase(), field));
}

/**
 * @param {string} item `*`, `5`, `1-5`, `mon-fri`, any of them with a step, `L`, `fri#2` or `friL`
 * @param {Field} field
 */
function fitsItem(item, field) {
  if (field.name === 'day' && item === 'l') return true;
  if (field.name === 'day of the week') item = item.replace(/(?<=.)(?:#[1-5l]|l)$/, '');
  const match = /^(?:[*?]|([0-9a-z]+)(?:-([0-9a-z]+))?)(?:\/([1-9]\d*))?$/.exec(item);
  if (!match) return false;
  const [, from, to, step] = match;
  if (step !== undefined && Number(step) > field.max) return false;
  const [low, high] = [from ?? String(field.min), to ?? from ?? String(field.max)];
  const [first, last] = [numberOf(low, field), numberOf(high, field)];
  return first >= field.min && first <= last && last <= field.max;
}

/**
 * @param {string} word
 * @param {Field} field
 */
function numberOf(word, { names = [], min }) {
  return names.includes(word) ? names.indexOf(word) + min : /^\d+$/.test(word) ? Number(word) : -1;
}
