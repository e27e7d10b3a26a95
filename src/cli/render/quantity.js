/** Figures as people read them in a table. */
import { formatDuration, formatSize } from '../../shared/units.js';

/**
 * @param {number | null | undefined} ms since the worker started
 * @returns {string} `12s`, `3m 5s`, `2d 4h`
 */
export function uptime(ms) {
  if (ms === null || ms === undefined) return '-';
  return ms < 1000 ? '0s' : formatDuration(ms);
}

/**
 * @param {number} ms how long something took
 * @returns {string} `0.3 s`, `2m 5s`
 */
export function elapsed(ms) {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatDuration(ms);
}

/**
 * @param {number | null | undefined} bytes resident memory
 * @returns {string} `41.2M`
 */
export function memory(bytes) {
  return bytes === null || bytes === undefined ? '-' : formatSize(bytes);
}

/**
 * @param {number | null | undefined} percent of one core
 * @returns {string} `3.1%`
 */
export function cpu(percent) {
  return percent === null || percent === undefined ? '-' : `${percent.toFixed(1)}%`;
}

/**
 * @param {number} count
 * @param {string} noun in the singular
 * @returns {string} `1 worker`, `2 workers`
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * @param {number} ms that something has lasted
 * @returns {string} `4 s`, `2m 5s`
 */
export function lasting(ms) {
  return ms < 60_000 ? `${Math.floor(Math.max(0, ms) / 1000)} s` : formatDuration(ms);
}

/**
 * @param {number} ms until something happens
 * @returns {string} `4 s`, `2m 5s`
 */
export function waiting(ms) {
  return lasting(Math.ceil(Math.max(0, ms) / 1000) * 1000);
}

/**
 * @param {number | null | undefined} share 0 to 1
 * @returns {string} `12%`
 */
export function share(share) {
  return typeof share === 'number' ? `${Math.round(share * 100)}%` : '-';
}

/**
 * @param {number | null | undefined} ms a short time
 * @returns {string} `0.4ms`, `12ms`, `1.2s`
 */
export function brevity(ms) {
  if (typeof ms !== 'number') return '-';
  if (ms < 9.95) return `${ms.toFixed(1)}ms`;
  return ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`;
}

/**
 * @param {number | null | undefined} number of things in a second
 * @returns {string} `0`, `3.2`, `412`, `12.4k`
 */
export function rate(number) {
  if (typeof number !== 'number') return '-';
  if (number === 0) return '0';
  if (number < 9.95) return number.toFixed(1);
  return number < 9999.5 ? String(Math.round(number)) : `${(number / 1000).toFixed(1)}k`;
}
