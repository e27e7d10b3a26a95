/** @import { ConfigValue } from '../file/config-value.js' */

/**
 * A string, or a number or boolean as it was written. A NUL cannot be passed to any program.
 * @param {ConfigValue} input
 * @param {{allowEmpty?: boolean}} [options]
 * @returns {string|null}
 */
export function asString(input, { allowEmpty = false } = {}) {
  const { value } = input;
  if (typeof value === 'number' || typeof value === 'boolean')
    return input.written ?? String(value);
  if (typeof value !== 'string' || value.includes('\0')) return null;
  return value.trim() !== '' || allowEmpty ? value : null;
}

/**
 * @param {unknown} value
 * @returns {number|null}
 */
export function asInteger(value) {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? /** @type {number} */ (number) : null;
}
