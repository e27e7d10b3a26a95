/** Counts, durations, moments and sizes: '10s', '1m30s', '512M'; plain numbers are ms or bytes. */

/** @type {Record<string, number>} */
const DURATION_UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SIZE_UNITS = ['', 'K', 'M', 'G', 'T'];
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DATE_AND_CLOCK = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const SIZE = /^(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i;

/** @param {string} text @returns {number} from 1 up @throws {RangeError} */
export function parseCount(text) {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new RangeError('It must be a number from 1 up');
  return Number(text);
}

/** @param {string} text @throws {RangeError} */
export function parsePort(text) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new RangeError('It must be a port from 1 to 65535');
  return port;
}

/** Whole ms; null: not a duration. @param {unknown} value a number of ms, its digits, or '10s', '1m30s', '1.5h', '250ms' */
export function parseDuration(value) {
  if (typeof value === 'number') return wholeNumber(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return wholeNumber(Number(text));
  if (!DURATION.test(text)) return null;
  const parts = [...text.matchAll(DURATION_PART)];
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * DURATION_UNITS[unit], 0);
  return wholeNumber(Math.round(ms));
}

/**
 * @param {string} text '10m': so long ago; '22:20', '22:20:05': local time, the last one; '2026-11-26T22:20:00Z'
 * @param {number} [now] epoch ms, as the result
 * @throws {RangeError}
 */
export function parseMoment(text, now = Date.now()) {
  const ms = parseTypedDuration(text);
  if (ms !== null) return now - ms;
  const [isClock, hours, minutes, seconds = 0] = CLOCK.exec(text) ?? [];
  const date = new Date(isClock ? now : DATE_AND_CLOCK.test(text) ? text : NaN);
  if (isClock) date.setHours(Number(hours), Number(minutes), Number(seconds), 0);
  if (isClock && date.getTime() > now) date.setDate(date.getDate() - 1);
  if (!Number.isNaN(date.getTime())) return date.getTime();
  throw new RangeError(
    'It must be a duration such as 30s, 10m or 2h, or a time such as 22:20, 22:20:05 or 2026-11-26T22:20:00Z',
  );
}

/** Null also without a unit: a number alone could mean seconds. @param {string} text after a flag */
export function parseTypedDuration(text) {
  return /^\d+$/.test(text) ? null : parseDuration(text);
}

/** @param {number} ms @returns {string} with the two largest units: '450ms', '10s', '1m 30s', '2d 3h' */
export function formatDuration(ms) {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  let rest = Math.floor(ms / 1000) * 1000;
  const parts = ['d', 'h', 'm', 's'].map((unit) => {
    const count = Math.floor(rest / DURATION_UNITS[unit]);
    rest -= count * DURATION_UNITS[unit];
    return count > 0 ? `${count}${unit}` : '';
  });
  const largest = parts.findIndex((part) => part !== '');
  return parts
    .slice(largest, largest + 2)
    .join(' ')
    .trimEnd();
}

/** @param {number} ms that something took @returns {string} '0.4ms', '12ms', '1.2s', '2m 5s' */
export function formatElapsed(ms) {
  if (ms < 9.95) return `${ms.toFixed(1)}ms`;
  if (ms < 1000) return `${Math.round(ms)}ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatDuration(ms);
}

/** Whole bytes; null: not a size. @param {unknown} value a number, its digits, or '512M', '1.5G', '64KB' (powers of 1024) */
export function parseSize(value) {
  if (typeof value === 'number') return wholeNumber(value);
  if (typeof value !== 'string') return null;
  const match = SIZE.exec(value.trim());
  if (!match) return null;
  const power = SIZE_UNITS.indexOf(match[2].toUpperCase());
  return wholeNumber(Math.round(Number(match[1]) * 1024 ** power));
}

/** @param {number} bytes @returns {string} '0B', '512K', '43.1M', '1.2G' */
export function formatSize(bytes) {
  let power = 0;
  let count = bytes;
  while (count >= 1024 && power < SIZE_UNITS.length - 1) {
    count /= 1024;
    power += 1;
  }
  const digits = power === 0 || Number.isInteger(count) ? 0 : 1;
  return `${count.toFixed(digits)}${SIZE_UNITS[power] || 'B'}`;
}

/** @param {number} value */
function wholeNumber(value) {
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}
