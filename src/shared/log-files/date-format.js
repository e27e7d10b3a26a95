/**
 * Local times in a format of the tokens YYYY MM DD HH mm ss SSS Z. Text in [brackets], T and all but letters stand for
 * themselves.
 */

/** Where each number is in ISO 8601. @type {Record<string, [begin: number, end: number]>} */
const NUMBERS = {
  YYYY: [0, 4],
  MM: [5, 7],
  DD: [8, 10],
  HH: [11, 13],
  mm: [14, 16],
  ss: [17, 19],
  SSS: [20, 23],
};
const TOKENS = [...Object.keys(NUMBERS), 'Z'];
const PARTS = /\[([^[\]]*)\]|YYYY|MM|DD|HH|mm|ss|SSS|Z|T|[A-Za-z]+|[^A-Za-z]/g;
const MAX_LENGTH = 64;

export const TOKENS_TEXT = TOKENS.join(' ');

/**
 * @typedef {object} DateFormat
 * @property {(ms: number) => string} write takes epoch ms
 * @property {(text: string) => number | null} read null: no match, or a format without a date
 * @property {string} pattern of a regular expression without groups that matches such a time
 */

/** The default. @type {DateFormat} */
export const ISO_8601 = Object.freeze({
  write: (/** @type {number} */ ms) => new Date(ms).toISOString(),
  read: parseIso,
  pattern: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z',
});

/** @param {string} text */
function parseIso(text) {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** @param {string} format @returns {string | null} why it is not valid; null if it is */
export function describeDateFormatFault(format) {
  if (format.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(format)) return 'it has a control character';
  const parts = partsOf(format);
  const unknown = parts.find(({ text, isWord }) => isWord && text !== 'T');
  if (unknown) return `"${unknown.text}" is not one of ${TOKENS_TEXT}`;
  return parts.some(({ isToken }) => isToken) ? null : `it contains none of ${TOKENS_TEXT}`;
}

/** @param {string} format that is valid @returns {DateFormat} */
export function makeDateFormat(format) {
  const parts = partsOf(format);
  const tokens = parts.filter(({ isToken }) => isToken).map(({ text }) => text);
  const groups = parts.map(({ pattern, isToken }) => (isToken ? `(${pattern})` : pattern));
  const whole = new RegExp(`^${groups.join('')}$`);
  return Object.freeze({
    write(ms) {
      const offset = new Date(ms).getTimezoneOffset();
      const local = new Date(ms - offset * 60_000).toISOString();
      const write = (/** @type {string} */ token) =>
        token === 'Z' ? zoneText(-offset) : local.slice(...NUMBERS[token]);
      return parts.map(({ text, isToken }) => (isToken ? write(text) : text)).join('');
    },
    read(text) {
      const match = whole.exec(text);
      const read = Object.fromEntries(tokens.map((token, index) => [token, match?.[index + 1]]));
      const { YYYY, MM, DD, HH = '00', mm = '00', ss = '00', SSS = '000', Z = '' } = read;
      const hasDate = YYYY && MM && DD;
      return hasDate ? parseIso(`${YYYY}-${MM}-${DD}T${HH}:${mm}:${ss}.${SSS}${Z}`) : null;
    },
    pattern: parts.map(({ pattern }) => pattern).join(''),
  });
}

/** @param {string} format */
function partsOf(format) {
  return [...format.matchAll(PARTS)].map(([part, quoted]) => {
    const isLetters = quoted === undefined && /^[A-Za-z]/.test(part);
    const isToken = isLetters && TOKENS.includes(part);
    const text = quoted ?? part;
    const pattern = isToken ? patternOf(part) : text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    return { text, pattern, isToken, isWord: isLetters && !isToken };
  });
}

/** @param {string} token */
function patternOf(token) {
  if (token === 'Z') return '[+-]\\d{2}:\\d{2}';
  const [begin, end] = NUMBERS[token];
  return `\\d{${end - begin}}`;
}

/** @param {number} minutes east of Greenwich */
function zoneText(minutes) {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = [hours, rest].map((number) => String(number).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${digits.join(':')}`;
}
