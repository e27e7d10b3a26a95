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
