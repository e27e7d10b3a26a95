/** Checks of values that came from another process or from a file. */

/** @param {any} value @returns {value is Record<string, any>} false for a list */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {any} value @returns {value is number} whether it is a whole number from 0 up */
export function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * @param {any} value
 * @param {(item: any) => boolean} isItem
 * @returns {boolean}
 */
export function isListOf(value, isItem) {
  return Array.isArray(value) && value.every(isItem);
}
