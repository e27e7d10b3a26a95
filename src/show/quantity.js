/** Formats numbers for people; `-` if the value is not known. */
import { formatDuration, formatElapsed, formatSize } from '../shared/units.js';

/** @typedef {number | null | undefined} Quantity */

/**
 * @template {number | undefined} T
 * @param {T} since epoch ms
 * @param {number} now epoch ms
 * @returns {T} ms
 */
export function ageOf(since, now) {
  return /** @type {T} */ (since === undefined ? since : Math.max(0, now - since));
}

/** @param {Quantity} ms since something began @returns {string} `4s`, `2m 5s`, `2d 4h` */
export function formatAge(ms) {
  return orDash(ms, (known) => (known < 1000 ? '0s' : formatDuration(known)));
}

/** @param {number} at epoch ms @param {number} now epoch ms @returns {string} `4s ago` */
export function formatAgo(at, now) {
  return `${formatAge(ageOf(at, now))} ago`;
}

/** @param {number} ms until something happens @returns {string} `4s`, `2m 5s` */
export function formatCountdown(ms) {
  return formatAge(Math.ceil(Math.max(0, ms) / 1000) * 1000);
}

/** @param {Quantity} ms @returns {string} `0.4ms`, `12ms`, `1.2s` */
export function formatLatency(ms) {
  return orDash(ms, formatElapsed);
}

/** @param {Quantity} bytes @returns {string} `41.2M` */
export function formatMemory(bytes) {
  return orDash(bytes, formatSize);
}

/** @param {Quantity} percent of one core @returns {string} `3.1%` */
export function formatCpu(percent) {
  return orDash(percent, (known) => `${known.toFixed(known < 1000 ? 1 : 0)}%`);
}

/** @param {Quantity} share 0 to 1 @returns {string} `12%` */
export function formatShare(share) {
  return orDash(share, (known) => `${Math.round(known * 100)}%`);
}

/** @param {Quantity} perSecond @returns {string} `0`, `3.2`, `412`, `12.4k` */
export function formatRate(perSecond) {
  return orDash(perSecond, (known) => {
    if (known === 0) return '0';
    if (known < 9.95) return known.toFixed(1);
    return known < 9999.5 ? String(Math.round(known)) : `${(known / 1000).toFixed(1)}k`;
  });
}

/** @param {Quantity} number */
export function formatInteger(number) {
  return orDash(number, String);
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** @param {readonly (number | null)[]} values the newest last; null: not known @param {number} width @param {number} minHigh */
export function sparkline(values, width, minHigh) {
  const high = Math.max(minHigh, ...values.map(Number));
  const shown = values.slice(-width).map((value) => {
    return value === null ? ' ' : LEVELS[Math.round((value / high) * (LEVELS.length - 1))];
  });
  return shown.join('').padStart(width);
}

/** @param {number} count @param {string} noun in the singular @returns {string} `1 worker`, `2 workers` */
export function formatCount(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param {number} at epoch ms @returns {string} the time of day on this computer: `14:03:21` */
export function formatClock(at) {
  return new Date(at).toTimeString().slice(0, 8);
}

/**
 * @param {number} at epoch ms
 * @returns {string} as in `date`, in the time zone of this computer: `2026-11-23 14:03:21`
 */
export function formatMoment(at) {
  const date = new Date(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const day = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return `${day} ${formatClock(at)}`;
}

/** @param {number} at epoch ms @param {number} [now] epoch ms @returns {string} `14:03:21`; of another day with its date */
export function formatTime(at, now = Date.now()) {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? formatClock(at) : formatMoment(at);
}

/** @param {Quantity} value @param {(known: number) => string} format */
function orDash(value, format) {
  return typeof value === 'number' ? format(value) : '-';
}

const MAX_NAMES = 10;

/** @param {readonly string[]} names @returns {string} the first ones, and how many others there are: `ls` has them all */
export function namesText(names) {
  const others = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return others > 0 ? `${shown} and ${others} more` : shown;
}
