/** How many workers a message or a signal reached. */
import { maskLine } from './mask.js';
import { formatCount } from './quantity.js';

/** @import { Sent } from '../../protocol/shapes.js' */

/**
 * @param {Sent} app
 * @returns {string} a sentence
 */
export function renderReceipt({ name, sent, failed }) {
  const missed =
    failed.length > 0 ? `; ${formatCount(failed.length, 'worker')} could not get it` : '';
  return `Sent to ${formatCount(sent.length, 'worker')} of ${maskLine(name)}${missed}.`;
}
