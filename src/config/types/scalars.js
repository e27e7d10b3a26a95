/** What a single value in a file can be taken for. */
/** @import { ConfigValue } from '../file/config-value.js' */

/**
 * A text, or a number or truth value as it was written. No NUL: no program could be given it.
 * @param {ConfigValue} input
 * @param {{emptyToo?: boolean}} [options]
 * @returns {string|null}
 */
export function asText(input, { emptyToo = false } = {}) {
  const { value } = input;
  if (typeof value === 'number' || typeof value === 'boolean')
    return input.written ?? String(value);
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
