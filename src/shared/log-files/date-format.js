/**
 * Local times in a format of the tokens YYYY MM DD HH mm ss SSS Z. Text in [brackets], T and all but letters stand for
 * themselves.
 */

/** `local`: its UTC is the local time; `offset`: minutes from local time to UTC. @type {Record<string, {pattern: string, write: (local: Date, offset: number) => string}>} */
const TOKENS = {
  YYYY: { pattern: '\\d{4}', write: (date) => padded(date.getUTCFullYear(), 4) },
  MM: { pattern: '\\d{2}', write: (date) => padded(date.getUTCMonth() + 1) },
  DD: { pattern: '\\d{2}', write: (date) => padded(date.getUTCDate()) },
  HH: { pattern: '\\d{2}', write: (date) => padded(date.getUTCHours()) },
  mm: { pattern: '\\d{2}', write: (date) => padded(date.getUTCMinutes()) },
  ss: { pattern: '\\d{2}', write: (date) => padded(date.getUTCSeconds()) },
  SSS: { pattern: '\\d{3}', write: (date) => padded(date.getUTCMilliseconds(), 3) },
  Z: { pattern: '[+-]\\d{2}:\\d{2}', write: (_, offset) => zoneText(-offset) },
};
const PARTS = /\[([^[\]]*)\]|YYYY|MM|DD|HH|mm|ss|SSS|Z|T|[A-Za-z]+|[^A-Za-z]/g;
const MAX_LENGTH = 64;

export const TOKENS_TEXT = Object.keys(TOKENS).join(' ');

/**
 * @typedef {object} DateFormat
 * @property {(ms: number) => string} write takes epoch ms
 * @property {(text: string) => number | null} read null: no match, or a format without a date
 * @property {string} pattern of a regular expression without groups that matches such a time
 */

/** The default. @type {DateFormat} */
export const ISO_8601 = Object.freeze({
  write: (/** @type {number} */ ms) => new Date(ms).toISOString(),
  read: (/** @type {string} */ text) => numberOrNull(Date.parse(text)),
  pattern: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z',
});

/** @param {string} format @returns {string | null} why it is not valid; null if it is */
export function describeDateFormatFault(format) {
  if (format.trim() === '') return 'it is empty';
  if (format.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(format)) return 'it has a control character';
  const parts = partsOf(format);
  const unknown = parts.find(({ text, token }) => token === null && /^[A-Za-z]+$/.test(text));
  if (unknown && unknown.text !== 'T' && !unknown.isQuoted) {
    return `"${unknown.text}" is not one of ${TOKENS_TEXT}`;
  }
  return parts.some(({ token }) => token !== null) ? null : `it contains none of ${TOKENS_TEXT}`;
}

/**
 * @param {string} format that is valid
 * @param {(ms: number) => number} [offsetAt] minutes from local time to UTC, in the zone of what it writes
 * @returns {DateFormat}
 */
export function makeDateFormat(format, offsetAt = (ms) => new Date(ms).getTimezoneOffset()) {
  const parts = partsOf(format);
  const pattern = parts.map(({ text, token }) => token?.pattern ?? escaped(text)).join('');
  const groups = parts.map(({ text, token }) => (token ? `(${token.pattern})` : escaped(text)));
  const whole = new RegExp(`^${groups.join('')}$`);
  const names = parts.filter(({ token }) => token !== null).map(({ text }) => text);
  return Object.freeze({
    write(ms) {
      const offset = offsetAt(ms);
      const local = new Date(ms - offset * 60_000);
      return parts.map(({ text, token }) => token?.write(local, offset) ?? text).join('');
    },
    read(text) {
      const match = whole.exec(text);
      return match && epochOf(new Map(names.map((name, index) => [name, match[index + 1]])));
    },
    pattern,
  });
}

/** @param {Map<string, string>} values by token */
function epochOf(values) {
  if (!['YYYY', 'MM', 'DD'].every((token) => values.has(token))) return null;
  const number = (/** @type {string} */ token) => Number(values.get(token) ?? 0);
  const day = /** @type {const} */ ([number('YYYY'), number('MM') - 1, number('DD')]);
  const time = /** @type {const} */ ([number('HH'), number('mm'), number('ss'), number('SSS')]);
  const zone = values.get('Z');
  if (zone === undefined) return numberOrNull(new Date(...day, ...time).getTime());
  const [, sign, hours, minutes] = /** @type {string[]} */ (/(.)(..):(..)/.exec(zone));
  const aheadMs = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return numberOrNull(Date.UTC(...day, ...time) - aheadMs);
}

/** @param {string} format */
function partsOf(format) {
  return [...format.matchAll(PARTS)].map(([text, quoted]) => ({
    text: quoted ?? text,
    isQuoted: quoted !== undefined,
    token: quoted === undefined && Object.hasOwn(TOKENS, text) ? TOKENS[text] : null,
  }));
}

/** @param {number} minutes east of Greenwich */
function zoneText(minutes) {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(distance / 60))}:${padded(distance % 60)}`;
}

/** @param {number} value @param {number} [digits] */
function padded(value, digits = 2) {
  return String(value).padStart(digits, '0');
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** @param {number} value */
function numberOrNull(value) {
  return Number.isNaN(value) ? null : value;
}
