/**
 * How many workers a message or a signal reached. The others have not received it so far: one whose event
 * loop is blocked may read a message later.
 */
import { maskLine } from '../../show/mask.js';
import { formatCount } from '../../show/quantity.js';

/** @import { Sent } from '../../protocol/shapes.js' */

/**
 * @param {Sent} app
 * @returns {string} a sentence
 */
export function renderReceipt({ name, sent, failed }) {
  const verb = failed.length === 1 ? 'has' : 'have';
  const missed =
    failed.length > 0 ? `; ${formatCount(failed.length, 'worker')} ${verb} not received it` : '';
  return `Sent to ${formatCount(sent.length, 'worker')} of ${maskLine(name)}${missed}.`;
}
