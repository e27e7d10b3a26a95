/** Formats numbers for people as the command line does; `-` if the value is not known. */

/** @typedef {number | null | undefined} Quantity */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** @type {[unit: string, ms: number][]} */
const DURATION_UNITS = [
  ['d', 24 * 60 * MINUTE],
  ['h', 60 * MINUTE],
  ['m', MINUTE],
  ['s', SECOND],
];
const SIZE_UNITS = ['B', 'K', 'M', 'G', 'T'];

/**
 * @param {number} ms
 * @returns {string} with the two largest units: `450ms`, `10s`, `1m 30s`
 */
export function formatDuration(ms) {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))}ms`;
  const first = DURATION_UNITS.findIndex(([, length]) => ms >= length);
  let rest = ms;
  const parts = DURATION_UNITS.slice(first, first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? [`${count}${unit}`] : [];
  });
  return parts.join(' ');
}

/**
 * @param {Quantity} ms since a worker started
 * @returns {string} `12s`, `3m 5s`
 */
export function formatUptime(ms) {
  return orDash(ms, (known) => (known < SECOND ? '0s' : formatDuration(known)));
}

/**
 * @param {number} ms since something began
 * @returns {string} `4 s`, `2m 5s`
 */
export function formatAge(ms) {
  return ms < MINUTE ? `${Math.floor(Math.max(0, ms) / SECOND)} s` : formatDuration(ms);
}

/**
 * @param {number} ms until something happens
 * @returns {string} `4 s`, `2m 5s`
 */
export function formatCountdown(ms) {
  return formatAge(Math.ceil(Math.max(0, ms) / SECOND) * SECOND);
}

/**
 * @param {number} ms duration of something that is done
 * @returns {string} `0.3 s`, `2m 5s`
 */
export function formatElapsed(ms) {
  return ms < MINUTE ? `${(ms / SECOND).toFixed(1)} s` : formatDuration(ms);
}

/**
 * @param {Quantity} ms
 * @returns {string} `0.4ms`, `12ms`, `1.2s`
 */
export function formatLatency(ms) {
  return orDash(ms, (known) => {
    if (known < 9.95) return `${known.toFixed(1)}ms`;
    return known < SECOND ? `${Math.round(known)}ms` : `${(known / SECOND).toFixed(1)}s`;
  });
}

/**
 * @param {Quantity} bytes
 * @returns {string} `41.2M`
 */
export function formatMemory(bytes) {
  return orDash(bytes, (known) => {
    let power = 0;
    let count = known;
    while (count >= 1024 && power < SIZE_UNITS.length - 1) {
      count /= 1024;
      power += 1;
    }
    const digits = power === 0 || Number.isInteger(count) ? 0 : 1;
    return `${count.toFixed(digits)}${SIZE_UNITS[power]}`;
  });
}

/**
 * @param {Quantity} percent of one core
 * @returns {string} `3.1%`
 */
export function formatCpu(percent) {
  return orDash(percent, (known) => `${known.toFixed(1)}%`);
}

/**
 * @param {Quantity} share 0 to 1
 * @returns {string} `12%`
 */
export function formatShare(share) {
  return orDash(share, (known) => `${Math.round(known * 100)}%`);
}

/**
 * @param {Quantity} perSecond
 * @returns {string} `0`, `3.2`, `412`, `12.4k`
 */
export function formatRate(perSecond) {
  return orDash(perSecond, (known) => {
    if (known === 0) return '0';
    if (known < 9.95) return known.toFixed(1);
    return known < 9999.5 ? String(Math.round(known)) : `${(known / 1000).toFixed(1)}k`;
  });
}

/**
 * @param {Quantity} number
 * @returns {string}
 */
export function formatInteger(number) {
  return orDash(number, String);
}

/**
 * @param {number} count
 * @param {string} noun in the singular
 * @returns {string} `1 worker`, `2 workers`
 */
export function formatCount(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * @param {number} at epoch ms
 * @returns {string} the time of day on this computer: `14:03:21`
 */
export function formatClock(at) {
  return new Date(at).toTimeString().slice(0, 8);
}

/**
 * @param {number} at epoch ms
 * @param {number} now epoch ms
 * @returns {string} `14:03:21`, on another day `2026-11-23 14:03:21`
 */
export function formatMoment(at, now) {
  const [date, today] = [new Date(at), new Date(now)];
  if (date.toDateString() === today.toDateString()) return formatClock(at);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return `${parts.map((part) => String(part).padStart(2, '0')).join('-')} ${formatClock(at)}`;
}

/** @param {Quantity} value @param {(known: number) => string} format */
function orDash(value, format) {
  return typeof value === 'number' ? format(value) : '-';
}
