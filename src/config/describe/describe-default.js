/** @import { Option } from '../options/option.js' */

/**
 * @param {Option} option
 * @returns {string} for documentation and help: `5s`
 */
export function describeDefault({ default: value, defaultText }) {
  if (defaultText) return defaultText;
  if (value === null || typeof value === 'object') return 'none';
  return `\`${value}\``;
}
