/** What a single value in a file can be taken for. */
/** @import { Place } from '../file/position.js' */

/**
 * A text, or a number or truth value as it was written. No NUL: no program could be given it.
 * @param {Place} place
 * @param {{emptyToo?: boolean}} [options]
 * @returns {string|null}
 */
export function asText(place, { emptyToo = false } = {}) {
  const { value } = place;
  if (typeof value === 'number' || typeof value === 'boolean')
    return place.written ?? String(value);
  if (typeof value !== 'string' || value.includes('\0')) return null;
  return value.trim() !== '' || emptyToo ? value : null;
}

/**
 * @param {unknown} value
 * @returns {number|null}
 */
export function asInteger(value) {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? /** @type {number} */ (number) : null;
}
